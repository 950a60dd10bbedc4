import { SampleJobs } from './samples-jobs.js';
import { serve } from './serve.js';

serve(new SampleJobs());
