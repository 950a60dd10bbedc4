import { DiffJobs } from './diff-jobs.js';
import { serve } from './serve.js';

serve(new DiffJobs());
