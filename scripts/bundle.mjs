// Bundles the program: each command, thread and public module is an entry of dist/bundle/, what they share are chunks, and the
// packages that they import are inside. A command loads some ten files instead of some 400, which is most of what a short one costs.
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { sourcesIn } from './built-from.mjs'
import { noticesOf } from './notices.mjs'

/** Beside the commands and the entries of threads, which are called worker.ts. */
const MODULES = [
  // What bin/run.js and oclif load.
  'src/cli/command/program.ts',
  'src/cli/command/program-help.ts',
  'src/cli/terminal/standard-output.ts',
  'src/cli/terminal/uncaught.ts',
  'src/cli/hooks/command-not-found.ts',
  // A process of its own.
  'src/cli/localnet/links/main.ts',
  // The package as a library.
  'src/client/index.ts',
]
/** Two folders deep, as the modules are that look for entries from where they stand (src/crypto/compiled-url.ts). */
const CHUNKS = 'src/chunks'
/** Texts of the licences of what the bundle contains, in its folder. */
const NOTICES = 'THIRD-PARTY.txt'
/**
 * Binaries of the database, beside the bundle. They are not left to npm: the package that they come with has an install script,
 * which npm asks the user to allow.
 */
const DATABASE = 'classic-level'
/** Those that are taken: all but Android and 32-bit Windows. */
const PLATFORMS = ['darwin-x64+arm64', 'linux-arm', 'linux-arm64', 'linux-x64', 'win32-x64']
/** Packages that are loaded from node_modules. */
const EXTERNAL = [
  // They find native code beside themselves.
  '@chainsafe/blst',
  'libsql',
  'sodium-native',
  // Large, and only some commands and configurations load them.
  '@modelcontextprotocol/server',
  'pg',
  // Packages look for them at run time; they are not installed.
  'bufferutil',
  'react-devtools-core',
  'typescript',
  'utf-8-validate',
]
/**
 * Chunks that are put together by hand: the modules named, and what they import that is in no chunk before. The order goes
 * upwards, so that a thread or command that needs a lower one does not load what lies above it. Left to itself, the bundler
 * makes a chunk of each set of modules that the same entries share: hundreds of small files.
 */
const SHARED = [
  [
    'errors',
    [
      'src/base/defined-fields.ts',
      'src/base/guards.ts',
      'src/base/mod97.ts',
      'src/base/thrown.ts',
      'src/model/errors.ts',
      'src/model/suggest.ts',
      'src/files/bounded-file.ts',
      'src/files/disk-fault.ts',
    ],
  ],
  ['guards', ['src/cli/terminal/standard-output.ts', 'src/cli/terminal/uncaught.ts']],
  ['database', ['node_modules/level/index.js']],
  ['oclif', ['node_modules/@oclif/core/lib/index.js']],
  ['crypto', ['src/crypto/index.ts', 'src/crypto/service.ts']],
  ['codec', ['src/codec/index.ts']],
  ['proofs', ['src/crypto/job-thread.ts', 'src/crypto/circuits/packed.ts', 'src/crypto/circuits/verify.ts']],
  ['model', ['src/model/index.ts', 'src/model/iso-text.ts']],
  ['schemas', ['src/features/iso20022/schema/index.ts']],
  ['iso', ['src/features/iso20022/message/parse.ts']],
  [
    'command',
    ['src/cli/command/base-command.ts', 'src/cli/command/read-command.ts', 'src/cli/command/signed-command.ts'],
  ],
  ['client', ['src/client/index.ts']],
  ['abi', ['src/features/abi.ts']],
  [
    'ledger',
    [
      'src/node/content/content.ts',
      'src/node/genesis/file.ts',
      'src/node/ledger/channel.ts',
      'src/node/ledger/current-view.ts',
      'src/node/ledger/open.ts',
      'src/node/ledger/protocol.ts',
    ],
  ],
  ['node', ['src/node/config/index.ts', 'src/node/process/logger.ts', 'src/node/node.ts', 'src/node/reload/signal.ts']],
]

/** Lets the code of the database, which is in a chunk, find its binaries. */
const databaseBinding = {
  name: 'database-binding',
  load: {
    filter: { id: /classic-level\/binding\.js$/ },
    handler: () => `
import { fileURLToPath } from 'node:url'
import load from 'node-gyp-build'
const binding = load(fileURLToPath(new URL('../../${DATABASE}', import.meta.url)))
export { binding as 'module.exports' }`,
  },
}

/** Entries of the commands that are generated from the route table, which have no files: `src/cli/reads` is loaded as compiled. */
async function generatedCommands(root) {
  const { READ_COMMANDS } = await import(pathToFileURL(join(root, 'dist', 'src', 'cli', 'reads', 'index.js')).href)
  const reads = join(root, 'src', 'cli', 'reads', 'index.ts')
  const codes = new Map(
    READ_COMMANDS.map((id) => [
      `commands/${id.replaceAll(' ', '/')}`,
      `import { readCommand } from ${JSON.stringify(reads)}\nexport default readCommand(${JSON.stringify(id)})`,
    ]),
  )
  const plugin = {
    name: 'generated-commands',
    resolveId: (id) => (codes.has(id) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith('\0') ? codes.get(id.slice(1)) : undefined),
  }
  return { entries: [...codes.keys()], plugin }
}

/** Writes the bundle of the sources in a folder; old chunks go. */
export async function bundle(root) {
  const threads = sourcesIn('src').filter((name) => name.endsWith('/worker.ts'))
  const entries = [...sourcesIn('commands'), ...threads, ...MODULES]
  const generated = await generatedCommands(root)
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries([...entries, ...generated.entries].map((name) => [name.replace(/\.tsx?$/, ''), name])),
    platform: 'node',
    plugins: [databaseBinding, generated.plugin],
    // The one hash that is used: with the others, the module is a quarter of a megabyte that each thread and command would read.
    resolve: { alias: { 'hash-wasm': 'hash-wasm/dist/blake3.umd.min.js' } },
    external: (id) => EXTERNAL.some((name) => id === name || id.startsWith(`${name}/`)),
    transform: {
      // oclif would load a parser of versions to compare ours of Node.js with its own, which is lower than the one in package.json.
      define: { 'process.env.OCLIF_DISABLE_ENGINE_WARNING': '"1"' },
    },
    // Commands that import a module at run time may find it in a chunk that they have loaded already.
    checks: { ineffectiveDynamicImport: false },
  })
  const dir = join(root, 'dist', 'bundle')
  const { output } = await build.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
    codeSplitting: {
      groups: SHARED.map(([name, modules], at) => ({
        name,
        test: (id) => modules.includes(relative(root, id)),
        priority: SHARED.length - at,
      })),
    },
  })
  await build.close()
  const binaries = `${DATABASE}/prebuilds`
  for (const platform of PLATFORMS)
    cpSync(join(root, 'node_modules', binaries, platform), join(dir, binaries, platform), { recursive: true })
  writeFileSync(join(dir, NOTICES), noticesOf(output.flatMap(({ moduleIds = [] }) => moduleIds)))
  const written = new Set([NOTICES, ...output.map(({ fileName }) => fileName)])
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    const name = path.slice(dir.length + 1)
    if (entry.isFile() && !written.has(name) && !name.startsWith(binaries)) rmSync(path)
  }
}
