/**
 * Owns the processor time of a test file: of its worker thread, or of its worker process and its awaited child
 * processes.
 */
import { afterAll } from 'vitest'
import { processorSeconds } from '../../scripts/processor-time.mjs'

declare module 'vitest' {
  interface TaskMeta {
    /** Processor time of a file, in seconds. */
    cpuSeconds?: number
    /** Missing capability of this machine, if a test is skipped for it. */
    skippedBecause?: string
  }
}

// A setup file is evaluated before each test file, so that imports of the file count.
const before = processorSeconds()
// biome-ignore lint/correctness/noEmptyPattern: the runner reads names of fixtures from the first argument.
afterAll(({}, suite) => {
  suite.meta.cpuSeconds = processorSeconds() - before
})
