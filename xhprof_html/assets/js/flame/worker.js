import { serve } from '../core/worker.js';
import { Jobs } from './jobs.js';

serve(new Jobs());
