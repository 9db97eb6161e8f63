#!/usr/bin/env node
// From source: compiles what changed, then runs the command as bin/run.js does.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const done = spawnSync(process.execPath, [join(root, 'scripts', 'build.mjs')], {
  cwd: root,
  // Standard output belongs to the command.
  stdio: ['ignore', 2, 2],
})
if (done.status !== 0) process.exit(done.status ?? 1)
process.env.NODE_ENV ??= 'development'
await import('./run.js')
