#!/usr/bin/env node
// The executable: fixes the environment before anything is imported, then hands over to oclif.
process.env.NODE_ENV ??= 'production'
if (process.argv.includes('--no-color') || process.env.NO_COLOR !== undefined || process.env.TERM === 'dumb') {
  process.env.NO_COLOR = '1'
  process.env.FORCE_COLOR = '0'
}
const { guardStandardOutput } = await import('../dist/src/cli/standard-output.js')
guardStandardOutput()
const { guardUncaught } = await import('../dist/src/cli/uncaught.js')
guardUncaught()
const { execute } = await import('@oclif/core')
await execute({ dir: import.meta.url })
