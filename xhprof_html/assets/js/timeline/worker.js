import { serve } from '../flame/serve.js';
import { TimelineJobs } from './jobs.js';

serve(new TimelineJobs());
