/**
 * Owns the rule that unit tests need no build: none of them starts a thread of the program, which would run `dist/`.
 */
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'

const { Worker } = threads
class SourcesOnly extends Worker {
  constructor(...[entry, options]: ConstructorParameters<typeof Worker>) {
    if (String(entry).includes('/dist/')) {
      throw new Error(
        `a unit test starts ${String(entry)}: move it to a project that is built first (test/projects.ts)`,
      )
    }
    super(entry, options)
  }
}
// It runs before every file, in one thread.
if (Worker.name !== SourcesOnly.name) {
  threads.Worker = SourcesOnly
  syncBuiltinESMExports()
}
