/** A run over time by its samples: index.php?view=timeline of a sampled run. */
import { TOTAL_SAMPLES } from '../core/format.js';
import { WorkerClient } from '../core/worker.js';
import { startTimelines } from '../timeline/page.js';

startTimelines('samples', ({ dataset: { columns = '' } }) => {
    /** @type {WorkerClient<import('../timeline/sample-jobs.js').SampleJobs>} */
    const worker = new WorkerClient(new Worker(new URL('../timeline/samples-worker.js', import.meta.url), { type: 'module' }));

    return {
        loading: 'Loading the samples…',
        noun: ['sample', 'samples'],
        counted: [TOTAL_SAMPLES],
        url: columns,
        open: (source, progress) => worker.call('open', source, progress),
        range: (range) => worker.call('range', range),
        divide: (kinds) => worker.call('divide', kinds),
        parts: (range) => worker.call('parts', range),
        partsOf: (of) => worker.call('partsOf', of),
        lit: (lit) => worker.call('lit', lit),
    };
});
