/** Owns the folder of a contract: created from a template, compiled with its own compiler, validated before use. */
import { errorMessage } from '../../base/thrown.js'
import { parseJson } from '../../codec/json-text.js'
import '../../features/contracts/schema/errors.js'
import { cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Json } from '../../codec/index.js'
import { readBounded, readRegular } from '../../files/bounded-file.js'
import { LedgerError } from '../../model/errors.js'
import type { ModuleFault } from '../../vm/index.js'
import { parseJsonText } from '../input/json.js'
import { usageError } from '../terminal/failure.js'
import { compileFaults, placeOfByte, placeOfIndex } from './source-places.js'

/** Maximum size of a source file and of a manifest, in bytes. */
const SOURCE_MAX_BYTES = 1024 * 1024
/** Source file that declares the entrypoints. */
const SOURCE = 'contract.ts'
/** Module of a template, compiled with the SDK beside it. */
const PREBUILT = 'prebuilt.wasm'
/** Test scenarios of a contract: calls and expected results. */
const TESTS = 'tests.json'
/** Compiler version in new folders. */
const COMPILER = '0.28.20'
/** Compiler options: the profile allows neither a start function nor any of the later features. */
const OPTIONS = [
  ...['--runtime', 'stub', '--exportStart', '_start', '-O3', '--noAssert', '--initialMemory', '1'],
  ...['--use', 'abort=sdk/index/stopped', '--disable', 'nontrapping-f2i', '--disable', 'mutable-globals'],
]

/** Folder of the templates of this release. */
const templatesFolder = async (): Promise<string> => {
  for (const up of [
    '../../../templates/contract',
    '../../../../templates/contract',
    '../../../../../templates/contract',
  ]) {
    const folder = fileURLToPath(new URL(up, import.meta.url))
    if (await stat(folder).catch(() => undefined)) return folder
  }
  throw new LedgerError('not_found', 'this installation does not include the templates')
}

/** Names of the templates. */
export async function templates(): Promise<string[]> {
  const names = await readdir(await templatesFolder())
  return names.filter((name) => name !== 'sdk').sort()
}

/** Create the folder of a contract. */
export async function makeProject(folder: string, template: string): Promise<readonly string[]> {
  const from = await templatesFolder()
  if (!(await templates()).includes(template)) {
    throw usageError(`unknown template ${template}`, `Templates: ${(await templates()).join(', ')}.`)
  }
  if (await stat(folder).catch(() => undefined))
    throw usageError(`${folder} already exists`, 'Give the name of a new folder.')
  await mkdir(folder, { recursive: true })
  await cp(join(from, 'sdk'), join(folder, 'sdk'), { recursive: true })
  await cp(join(from, template), folder, { recursive: true })
  const manifest = { name: template, upgradable: false }
  await writeFile(join(folder, 'contract.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const pack = { private: true, type: 'module', devDependencies: { assemblyscript: COMPILER } }
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(pack, null, 2)}\n`)
  await prebuild(folder, manifest)
  return ['contract.ts', TESTS, 'contract.json', 'package.json', 'sdk/', 'build/']
}

/** Write the precompiled module of the template, so that a new folder can be deployed without a compiler. */
async function prebuild(folder: string, about: ContractJson): Promise<void> {
  const file = join(folder, PREBUILT)
  const code = await readBounded(file, SOURCE_MAX_BYTES)
  await rm(file)
  const source = (await readRegular(join(folder, 'contract.ts'), SOURCE_MAX_BYTES)).toString('utf8')
  await writeBuilt(folder, {
    code,
    manifest: await manifestJson(code, about, declarations(source), declaredEvents(source)),
  })
}

async function writeBuilt(folder: string, { code, manifest }: Built): Promise<void> {
  await mkdir(join(folder, 'build'), { recursive: true })
  await writeFile(join(folder, 'build', 'contract.wasm'), code)
  await writeFile(join(folder, 'build', 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Contract description in a folder. */
interface ContractJson {
  readonly name: string
  readonly upgradable?: boolean
}

/** Entrypoint declared in a source. */
export interface Declared {
  readonly kind: 'Public' | 'View' | 'Init' | 'Upgrade'
  readonly name: string
  readonly payable: boolean
  readonly permission: string | undefined
  readonly params: readonly { readonly name: string; readonly type: string }[]
  readonly result: string
}

const KINDS = { entrypoint: 'Public', view: 'View', init: 'Init', upgrade: 'Upgrade' } as const
/**
 * Declaration: its kind and words, the rest of the comment, and the head of its function. The source may be untrusted,
 * so the pattern does not backtrack: words are matched whole, and parameters are bounded.
 */
const DECLARATION =
  /\/\*\* @(entrypoint|view|init|upgrade)(?=((?: (?:payable|owner|role:(?:(?!\*\/)[!-~])+))*))\2[^*]*\*\/\s*export function (\w+)\(([^)]{0,4096})\)\s*:\s*(\w+)/dg
/**
 * Types of arguments and results: their names in the language and in the manifest, and their method of readers and
 * writers.
 */
const TYPES: Readonly<Record<string, string>> = {
  bool: 'bool',
  u8: 'u8',
  u16: 'u16',
  u32: 'u32',
  u64: 'u64',
  i64: 'i64',
  string: 'string',
  Bytes: 'bytes',
  Account: 'account',
  Asset: 'asset',
  Numeric: 'numeric',
}

function typeOf(word: string, where: string): string {
  const type = TYPES[word]
  if (type !== undefined) return type
  throw new LedgerError('bad_value', `${where}: ${word} is not a type of arguments`, {
    hint: `Types: ${Object.keys(TYPES).join(', ')}.`,
  })
}

/** Names and types of a list such as `to: Account, amount: Numeric`. */
const paramsOf = (text: string, where: string): Declared['params'] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .map((one) => {
      const [name = '', type = ''] = one.split(':').map((part) => part.trim())
      return { name, type: typeOf(type, `${where}(${name})`) }
    })

/** Entrypoints of a source: functions after a comment such as `@entrypoint payable`. */
export function declarations(source: string): readonly Declared[] {
  return [...source.matchAll(DECLARATION)].map((match) => {
    const [, word = '', more = '', name = '', params = '', result = ''] = match
    const place = placeOfIndex(SOURCE, source, match.indices?.[3]?.[0] ?? match.index)
    const words = more.trim().split(' ').filter(Boolean)
    return {
      kind: KINDS[word as keyof typeof KINDS],
      name,
      payable: words.includes('payable'),
      permission: words.find((one) => one === 'owner' || one.startsWith('role:')),
      params: paramsOf(params, `${place}: ${name}`),
      result: result === 'void' ? '' : typeOf(result, `${place}: ${name}`),
    }
  })
}

/** Event declared in a source; a type alias, so that the compiler treats it as JSON. */
export type DeclaredEvent = {
  readonly topic: string
  readonly fields: readonly { readonly name: string; readonly type: string }[]
}

const EVENT = /\/\*\* @event ([!-'*-~]+)\(([^)]*)\)[^*]*\*\//dg

/**
 * Events of a source: comments such as `@event transfer(to: Account, amount: Numeric)`, with the fields in declared
 * order.
 */
export const declaredEvents = (source: string): readonly DeclaredEvent[] =>
  [...source.matchAll(EVENT)].map((match) => {
    const [, topic = '', fields = ''] = match
    const place = placeOfIndex(SOURCE, source, match.indices?.[1]?.[0] ?? match.index)
    return { topic, fields: paramsOf(fields, `${place}: ${topic}`) }
  })

/** Generated source with a function for each entrypoint that reads arguments and writes the result. */
export function entrySource(declared: readonly Declared[]): string {
  const wrappers = declared.map(({ name, params, result }) => {
    const reads = params.map(({ type }, index) => `  const a${index} = reader.${type}()\n`).join('')
    const call = `contract.${name}(${params.map((_, index) => `a${index}`).join(', ')})`
    const body = result === '' ? `  ${call}\n` : `  output(new Writer().${result}(${call}).finish())\n`
    return `export function ${name}(): void {\n  const reader = input()\n${reads}  reader.finish()\n${body}}\n`
  })
  const imports = "import * as contract from './contract'\nimport { input, output, Writer } from './sdk/index'\n"
  return imports + wrappers.join('')
}

/** Compiler of contracts. */
interface Compiler {
  main(
    args: readonly string[],
    io: {
      readFile(name: string): Promise<string | null>
      writeFile(name: string, contents: Uint8Array | string): void
      listFiles(): readonly string[]
    },
  ): Promise<{ readonly error: Error | null; readonly stderr: { toString(): string } }>
}

/** Compiler installed in a folder: a program controlled by the author of the folder. */
const ownCompiler = (folder: string): string => join(folder, 'node_modules', 'assemblyscript')

/** Load the compiler of a package; it runs with the rights of this process. */
async function compilerIn(folder: string): Promise<Compiler> {
  const file = join(folder, 'dist', 'asc.js')
  if ((await stat(file).catch(() => undefined)) === undefined) {
    throw new LedgerError('not_found', `${folder} does not contain a compiler`, {
      hint: 'Run npm install in the folder of the contract, or give the folder of another compiler.',
    })
  }
  return ((await import(pathToFileURL(file).href)) as { readonly default: Compiler }).default
}

/** Built contract: its module and the JSON form of its manifest. */
export interface Built {
  readonly code: Uint8Array
  readonly manifest: { readonly [field: string]: Json }
}

/**
 * Compile a folder with its own compiler or with the compiler of another folder, and validate the module; writes
 * nothing.
 */
export async function compileProject(at: string, compilerAt?: string): Promise<Built> {
  const folder = resolve(at)
  const text = async (name: string): Promise<string> =>
    Buffer.from(await readBounded(join(folder, name), SOURCE_MAX_BYTES)).toString('utf8')
  const about = parseJson(await text('contract.json')) as ContractJson
  const source = await text(SOURCE)
  const declared = declarations(source)
  if (declared.length === 0) {
    throw new LedgerError('bad_value', `${SOURCE} does not declare an entrypoint`, {
      hint: 'Write /** @entrypoint */ above an exported function.',
    })
  }
  const compiler = await compilerIn(compilerAt === undefined ? ownCompiler(folder) : resolve(compilerAt))
  const compile = async (...options: readonly string[]): Promise<Compiled> => {
    const written = new Map<string, Uint8Array | string>()
    const { error, stderr } = await compiler.main(['entry.ts', ...OPTIONS, ...options, '--outFile', 'contract.wasm'], {
      readFile: async (name) => {
        if (name === 'entry.ts') return entrySource(declared)
        return /^(contract|sdk\/[\w-]+)\.ts$/.test(name) ? text(name).catch(() => null) : null
      },
      writeFile: (name, contents) => written.set(name, contents),
      listFiles: () => [],
    })
    const code = written.get('contract.wasm')
    if (error !== null || !(code instanceof Uint8Array)) {
      throw new LedgerError('bad_value', `cannot compile the source:\n${compileFaults(stderr.toString())}`, {
        hint: 'Fix the source at that place.',
      })
    }
    return { code, map: written.get('contract.wasm.map')?.toString() }
  }
  const { code } = await compile()
  const fault = await moduleFault(code)
  if (fault !== undefined) {
    // The module with a source map is the same one, plus a section that names the map.
    const mapped = await compile('--sourceMap')
    const isSame = Buffer.from(mapped.code.subarray(0, code.length)).equals(code)
    throw refusedModule(fault, isSame ? mapped.map : undefined)
  }
  return { code, manifest: await manifestJson(code, about, declared, declaredEvents(source)) }
}

/** Compiled module, with its source map if requested. */
interface Compiled {
  readonly code: Uint8Array
  readonly map: string | undefined
}

/** Error for a module that violates the profile, with the position in its source. */
function refusedModule(fault: ModuleFault, map: string | undefined): LedgerError {
  const place = map === undefined ? undefined : placeOfByte(map, fault.offset)
  return new LedgerError('bad_value', `cannot build ${place ?? 'the module'}: ${fault.message}`, {
    hint: 'Contracts support neither floats nor SIMD: use integers or Numeric.',
  })
}

/** Reason why a module violates the profile; undefined if it does not. */
async function moduleFault(code: Uint8Array): Promise<ModuleFault | undefined> {
  const { checkModule, ModuleFault } = await import('../../vm/index.js')
  try {
    checkModule(code)
    return undefined
  } catch (error) {
    if (error instanceof ModuleFault) return error
    throw error
  }
}

/** Compile a folder, validate the module, and write both below `build/`. */
export async function buildProject(at: string): Promise<Built> {
  const built = await compileProject(at)
  await writeBuilt(at, built)
  return built
}

async function manifestJson(
  code: Uint8Array,
  about: ContractJson,
  declared: readonly Declared[],
  events: readonly DeclaredEvent[],
) {
  const { CONTRACT_ABI_HASH, CONTRACT_ABI_VERSION } = await import('../../features/contracts/schema/abi.js')
  const { codeHashOf, MANIFEST_VERSION } = await import('../../features/contracts/schema/records.js')
  return {
    version: MANIFEST_VERSION,
    name: about.name,
    abi_version: CONTRACT_ABI_VERSION,
    abi_hash: CONTRACT_ABI_HASH.toString('hex'),
    code_hash: codeHashOf(code).toString('hex'),
    upgradable: about.upgradable ?? false,
    entrypoints: declared.map(({ kind, name, payable, permission, params, result }) => ({
      name,
      kind,
      params,
      result: result === '' ? null : result,
      permission: permission ?? null,
      payable,
    })),
    events,
    source_hash: null,
    provenance: null,
  }
}

/** Previously built contract, read from the folder, or from its module with the manifest beside it. */
export async function readBuilt(at: string): Promise<Built> {
  const isModule = at.endsWith('.wasm')
  const code = isModule ? at : join(at, 'build', 'contract.wasm')
  const manifest = isModule ? join(at, '..', 'manifest.json') : join(at, 'build', 'manifest.json')
  try {
    return {
      code: await readRegular(code, SOURCE_MAX_BYTES),
      manifest: parseJson((await readRegular(manifest, SOURCE_MAX_BYTES)).toString('utf8')) as Built['manifest'],
    }
  } catch (error) {
    throw new LedgerError('not_found', `${at} is not built: ${errorMessage(error)}`, {
      hint: 'Run causeway contract build in it.',
    })
  }
}

/** Tests of a folder. */
export async function readTests(folder: string): Promise<Json> {
  const text = await readBounded(join(folder, TESTS), SOURCE_MAX_BYTES).catch((error: unknown) => {
    throw new LedgerError('not_found', `${folder} has no ${TESTS}: ${errorMessage(error)}`)
  })
  return parseJsonText(Buffer.from(text).toString('utf8'), TESTS)
}

/** Artifact of a built contract. Throws if the manifest is invalid. */
export async function artifactOf({ code, manifest }: Built): Promise<Buffer> {
  const records = await import('../../features/contracts/schema/records.js')
  const decoded = records.manifest.fromJson(manifest as never)
  if (!decoded.ok) throw new LedgerError(decoded.fault.code, `manifest.json: ${decoded.fault.message}`)
  return records.artifactHashOf(code, decoded.value)
}

/** Hashes of a built contract for display. */
export async function hashesOf(built: Built) {
  const { codeHashOf } = await import('../../features/contracts/schema/records.js')
  const artifact = (await artifactOf(built)).toString('hex')
  return { artifact, code_hash: codeHashOf(built.code).toString('hex'), bytes: built.code.length }
}

/** Entrypoint in a built manifest. */
export interface EntrypointJson {
  readonly kind: string
  readonly name: string
  readonly params: readonly { readonly name: string; readonly type: string }[]
}

/** Entrypoints of a built contract. */
export function entrypointsOf({ manifest }: Built): readonly EntrypointJson[] {
  const list: unknown = manifest['entrypoints']
  return Array.isArray(list) ? (list as readonly EntrypointJson[]) : []
}
