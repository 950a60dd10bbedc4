/** The calls of a run over time: index.php?view=timeline. */
import { WorkerClient } from '../core/worker.js';
import { startTimelines } from '../timeline/page.js';

startTimelines('timeline', ({ dataset: { columns = '' } }) => {
    /** @type {WorkerClient<import('../timeline/jobs.js').TimelineJobs>} */
    const worker = new WorkerClient(new Worker(new URL('../timeline/worker.js', import.meta.url), { type: 'module' }));

    return {
        loading: 'Loading the timeline…',
        noun: ['call', 'calls'],
        counted: [
            { label: 'Calls', isCalls: true },
            // What the longer ones called, and was shorter, is part of their time.
            { label: 'Calls kept', isCalls: true, exclusive: 'Self + shorter', inclusive: 'Total of kept' },
        ],
        url: columns,
        open: (source, progress) => worker.call('open', source, progress),
        range: (range) => worker.call('range', range),
        divide: (kinds) => worker.call('divide', kinds),
        parts: (range) => worker.call('parts', range),
        partsOf: (of) => worker.call('partsOf', of),
        lit: (lit) => worker.call('lit', lit),
    };
});
