import { serve } from '../core/worker.js';
import { DiffJobs } from './diff-jobs.js';

serve(new DiffJobs());
