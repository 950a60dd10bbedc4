import { serve } from '../core/worker.js';
import { SampleJobs } from './sample-jobs.js';

serve(new SampleJobs());
