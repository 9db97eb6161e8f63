/** Weight of a module in the cache of modules, compared with its memory when all of it is lowered. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { type LoadedModule, loadModule } from '../../../src/vm/index.js'
import { section, u32 } from '../../support/vm/assembler.js'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const vector = (items: readonly (readonly number[])[]): number[] => [...u32(items.length), ...items.flat()]
const sized = (bytes: readonly number[]): number[] => [...u32(bytes.length), ...bytes]
const repeated = (count: number, make: (at: number) => readonly number[]): number[] =>
  vector(Array.from({ length: count }, (_, at) => make(at)))

/** Parts of a module: functions, each with so many stores to memory; types, exports, segments. */
interface Parts {
  readonly functions?: number
  readonly stores?: number
  readonly types?: number
  readonly exports?: number
  readonly segments?: number
}

/** A module of these parts; `salt` makes modules of the same parts differ. */
function moduleOf({ functions = 1, stores = 0, types = 1, exports = 0, segments = 0 }: Parts, salt: number): Buffer {
  // i32.const 0, i32.const salt, i32.store
  const store = [0x41, 0, 0x41, salt & 63, 0x36, 2, 0]
  const body = sized([0, ...Array.from({ length: stores }, () => store).flat(), 0x0b])
  const nameOf = (at: number): number[] => sized([...Buffer.from(`e${salt}_${at}`)])
  const memory = [...sized([...Buffer.from('memory')]), 2, 0]
  const exported = Array.from({ length: exports }, (_, at) => [...nameOf(at), 0, 0])
  return Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      repeated(types, () => [0x60, 0, 0]),
    ),
    ...section(
      3,
      repeated(functions, () => [0]),
    ),
    ...section(5, vector([[1, 1, 16]])),
    ...section(7, vector([memory, ...exported])),
    ...section(
      10,
      repeated(functions, () => body),
    ),
    ...section(
      11,
      repeated(segments, (at) => [0, 0x41, ...u32(at & 63), 0x0b, 1, at & 255]),
    ),
  ])
}

/** Bytes of objects and of array buffers of this thread. */
function held(): number {
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

function loaded(parts: Parts, count: number): LoadedModule[] {
  return Array.from({ length: count }, (_, salt) => {
    const module = loadModule(moduleOf(parts, salt))
    for (const index of module.def.functions.keys()) module.lowered(index)
    return module
  })
}

it.each<[string, Parts]>([
  ['many empty functions', { functions: 1_900 }],
  ['many small functions', { functions: 1_900, stores: 2 }],
  ['many functions with the maximum amount of code', { functions: 1_900, stores: 4 }],
  ['few large functions', { functions: 4, stores: 2_000 }],
  ['many types', { types: 512 }],
  ['many exports', { exports: 255 }],
  ['many segments', { segments: 1_000 }],
])('the weight of a module of %s is at least its memory use', (_what, parts) => {
  loaded(parts, 2)
  const before = held()
  const modules = loaded(parts, 30)
  const taken = held() - before
  const counted = modules.reduce((sum, { weight }) => sum + weight, 0)
  expect(taken).toBeGreaterThan(0)
  expect(counted).toBeGreaterThanOrEqual(taken)
})
