import { Jobs } from './jobs.js';
import { serve } from './serve.js';

serve(new Jobs());
