import { serve } from '../core/worker.js';
import { TreeJobs } from './tree-jobs.js';

serve(new TreeJobs());
