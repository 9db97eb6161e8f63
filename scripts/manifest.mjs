// Writes oclif.manifest.json from the compiled commands, one a line, and what their groups are for into package.json, where
// oclif looks for it; `--check` fails when a committed file has drifted.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Plugin } from '@oclif/core'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const textOf = (json) => `${JSON.stringify(json, null, 2)}\n`

/** The manifest with a command per line, so that a change of one is a change of one line. */
function manifestText({ commands, ...rest }) {
  const lines = Object.entries(commands).map(([id, command]) => `${JSON.stringify(id)}: ${JSON.stringify(command)}`)
  const head = JSON.stringify({ generated: 'from commands/ by `npm run manifest`', ...rest })
  return `${head.slice(0, -1)},"commands":{\n${lines.join(',\n')}\n}}\n`
}

async function manifest() {
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
  return { ...plugin.manifest, commands }
}

async function described() {
  const { topics } = await import(join(root, 'dist', 'src', 'cli', 'command', 'topics.js'))
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  pjson.oclif.topics = Object.fromEntries(
    [...topics()].map(([words, description]) => [words.replaceAll(' ', ':'), { description }]),
  )
  return pjson
}

const files = { 'oclif.manifest.json': manifestText(await manifest()), 'package.json': textOf(await described()) }
for (const [name, text] of Object.entries(files)) {
  const target = join(root, name)
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (readFileSync(target, 'utf8') !== text) {
    console.error(
      `${name} has drifted from commands/ and their groups. Run \`npm run manifest\` and commit the result.`,
    )
    process.exitCode = 1
  }
}
