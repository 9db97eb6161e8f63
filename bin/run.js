#!/usr/bin/env node
// The executable: fixes the environment before anything is imported, then hands over to oclif.
// By default this signal opens an inspector, which hands keys to any process of the machine.
process.on('SIGUSR1', () => undefined)
process.env.NODE_ENV ??= 'production'
if (process.argv.includes('--no-color') || (process.env.NO_COLOR ?? '') !== '' || process.env.TERM === 'dumb') {
  process.env.NO_COLOR = '1'
  process.env.FORCE_COLOR = '0'
}
const { guardStandardOutput } = await import('../dist/bundle/src/cli/terminal/standard-output.js')
guardStandardOutput()
const { guardUncaught } = await import('../dist/bundle/src/cli/terminal/uncaught.js')
guardUncaught()
const { fileURLToPath } = await import('node:url')
const { execute } = await import('../dist/bundle/src/cli/command/program.js')
// No plugins of the user: they would be looked for in a home that may be another user's.
await execute({ loadOptions: { root: fileURLToPath(import.meta.url), userPlugins: false } })
