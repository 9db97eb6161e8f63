/** Owns the worst page of a list: its time on the ledger thread, and on the thread of the gateway. */
import type { Json } from '../../../src/codec/index.js'
import { EXECUTIONS } from '../../../src/executor/executions.js'
import { ABI_1 } from '../../../src/features/abi.js'
import { roles } from '../../../src/ledger/tables.js'
import type { Incarnation, Metadata } from '../../../src/model/index.js'
import { ledgerSources, runQuery } from '../../../src/node/ledger/query.js'
import type { BlockStore } from '../../../src/storage/index.js'
import { codec } from '../../support/chain.js'
import * as core from '../../support/core.js'
import type { Bench } from '../../support/executor.js'
import { alice, deep, long, named, owner, repeat, SELF, shredded, text, VALUE_BYTES } from './inputs.js'
import { coldState, fastest, processorMs } from './measure.js'

/** Maximum time of a page on a thread, in ms: a vote waits behind it. */
const PAGE_MS = 25
/** More than any page shows. */
const OBJECTS = 90

/** Result of the worst page of a list. */
export interface PageFigure {
  readonly name: string
  readonly items: number
  /** Read and write on the ledger thread; read and JSON encoding on the thread of the gateway. */
  readonly ledgerMs: number
  readonly gatewayMs: number
  readonly isAbove: boolean
}

interface List {
  readonly kind: 'nfts' | 'triggers' | 'roles'
  readonly prepare: (bench: Bench) => void
}

const VALUES: Readonly<Record<string, (seed: number) => Json>> = {
  text: () => text(VALUE_BYTES - 100),
  'shredded JSON': () => shredded(VALUE_BYTES - 100),
  'deep JSON': () => deep(VALUE_BYTES - 100),
  'objects with names of their own': (seed) => named(VALUE_BYTES - 100, seed),
}
const contentOf = (make: (seed: number) => Json, index: number): Metadata =>
  new Map(repeat(3, (at) => [`k${at}`, make(3 * index + at)]))
const programOf = (make: (seed: number) => Json, index: number) =>
  repeat(7, (at) => core.setKey(SELF, 'k', make(7 * index + at)))

const LISTS: Readonly<Record<string, List>> = {
  'nfts: small': {
    kind: 'nfts',
    prepare: (bench) => repeat(501, (index) => bench.genesis(owner, core.registerNft(`n${index}$bank`))),
  },
  'roles: full': {
    kind: 'roles',
    prepare(bench) {
      const incarnation: Incarnation = { height: 1, index: 0 }
      const tokens = repeat(64, (index) => ({
        name: 'CanMint',
        object: `${long(index)}${long(index)}#bank`,
        incarnation,
      }))
      repeat(OBJECTS, (index) => bench.state.set(roles, `r${index}`, { tokens, managers: [], members: 0 }))
    },
  },
  ...Object.fromEntries(
    Object.entries(VALUES).flatMap(([name, make]): [string, List][] => [
      [
        `nfts: ${name}`,
        {
          kind: 'nfts',
          prepare: (bench) =>
            repeat(OBJECTS, (index) =>
              bench.genesis(owner, core.registerNft(`n${index}$bank`, contentOf(make, index))),
            ),
        },
      ],
      [
        `triggers: ${name}`,
        {
          kind: 'triggers',
          prepare: (bench) =>
            repeat(OBJECTS / 3, (index) =>
              bench.genesis(alice, core.registerTrigger(`t${index}`, alice, core.BY_CALL, programOf(make, index))),
            ),
        },
      ],
    ]),
  ),
}

/** Pages of the longest items, each read from an uncached state. */
export async function benchPages(): Promise<PageFigure[]> {
  const found: PageFigure[] = []
  for (const [name, { kind, prepare }] of Object.entries(LISTS)) {
    const bench = core.smallWorld()
    prepare(bench)
    const def = ABI_1.queries.get(kind)
    if (def === undefined) throw new Error(`unknown query ${kind}`)
    const input = def.input.encode(
      { limit: 500, after: undefined, owner: undefined, domain: undefined } as never,
      codec,
    )
    let [ledgerMs, gatewayMs, items] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0]
    await fastest(async () => {
      const sources = ledgerSources(await coldState(bench.state), {} as BlockStore, ABI_1, codec)
      const started = processorMs()
      const answer = await runQuery(EXECUTIONS.query, sources, kind, input)
      const answered = processorMs()
      const output = answer && def.output.decode(answer, codec)
      if (output === undefined || !output.ok) throw new Error('the page is there')
      const jsonForm = def.output.toJson(output.value as never, codec)
      JSON.stringify(jsonForm)
      const written = processorMs()
      ledgerMs = Math.min(ledgerMs, answered - started)
      gatewayMs = Math.min(gatewayMs, written - answered)
      items = (jsonForm as { readonly items: readonly Json[] }).items.length
      return { ms: written - started }
    }, 0.3)
    found.push({ name, items, ledgerMs, gatewayMs, isAbove: Math.max(ledgerMs, gatewayMs) > PAGE_MS })
  }
  return found
}
