// Writes oclif.manifest.json from the compiled commands; `--check` fails when the committed file has drifted.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Plugin } from '@oclif/core'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = join(root, 'oclif.manifest.json')

const plugin = new Plugin({
  ignoreManifest: true,
  errorOnManifestCreate: true,
  respectNoCacheDefault: true,
  root,
  type: 'core',
})
await plugin.load()
// Folders are read in the order of the file system, which differs between machines.
const commands = Object.fromEntries(Object.entries(plugin.manifest.commands).sort(([a], [b]) => (a < b ? -1 : 1)))
const text = `${JSON.stringify({ ...plugin.manifest, commands }, null, 2)}\n`

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('oclif.manifest.json has drifted from commands/. Run `npm run manifest` and commit the result.')
    process.exit(1)
  }
} else {
  writeFileSync(target, text)
}
