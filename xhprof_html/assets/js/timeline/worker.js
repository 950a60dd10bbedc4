import { serve } from '../core/worker.js';
import { TimelineJobs } from './jobs.js';

serve(new TimelineJobs());
