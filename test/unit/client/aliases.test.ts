/** Aliases in what a client builds: resolved in one request, asserted where they are used, and never by a name that a gateway chose. */
import { describe, expect, it } from 'vitest'
import { Aliases } from '../../../src/client/aliases.js'
import type { GatewayCalls } from '../../../src/client/calls.js'
import type { Json } from '../../../src/codec/index.js'
import { clientCodec } from '../../../src/features/composed.js'
import type { BatchedAlias } from '../../../src/features/names/schema/aliases.js'
import { anyInstruction, formatAddress, type Instruction } from '../../../src/model/index.js'
import { alice, bob, carol } from '../../support/conference.js'

const codec = clientCodec('cw')
const address = formatAddress(alice, 'cw')
const KNOWN: Readonly<Record<string, { accountId?: string; assetDefinitionId?: string }>> = {
  'bob@bank': { accountId: bob },
  'Carol_1@bank': { accountId: carol },
  'eur@bank': { assetDefinitionId: 'eur#bank' },
}
const answerTo = (alias: string, canonical = alias): BatchedAlias => {
  const known = KNOWN[alias]
  if (known === undefined)
    return { alias, answer: undefined, error: { code: 'alias_unknown', message: '', standing: undefined } }
  const rest = { homeDomain: 'bank', sinceMs: undefined, expiresMs: undefined, height: 7 }
  const ids = { accountId: known.accountId, assetDefinitionId: known.assetDefinitionId }
  return { alias, answer: { alias, canonical, kind: 'assigned', standing: 'live', ...ids, ...rest }, error: undefined }
}

/** A gateway, and the batches that it was asked. */
function gateway({ abiVersion = 2, canonical }: { abiVersion?: number; canonical?: string } = {}) {
  const batches: string[][] = []
  const calls = {
    chain: async () => ({ abiVersion }),
    route: async (_row: unknown, { body }: { body: { aliases: string[] } }) => {
      batches.push(body.aliases)
      return { items: body.aliases.map((alias) => answerTo(alias, canonical)), height: 7 }
    },
  } as unknown as Pick<GatewayCalls, 'route' | 'chain'>
  return { calls, batches }
}

async function built(jsonForms: readonly Json[], calls: Pick<GatewayCalls, 'route' | 'chain'>): Promise<Json[]> {
  const aliases = new Aliases(calls)
  const list = await aliases.settled(() => {
    const used = new Map()
    const read: Instruction[] = jsonForms.map((jsonForm, index) => aliases.read(jsonForm, index, codec, used))
    return aliases.asserted(read, used.values())
  })
  return list.map((one) => anyInstruction.toJson(one, codec))
}

const transfer = (to: string, definition = 'eur#bank'): Json => ({
  Transfer: { asset: { definition, account: address }, to, amount: '1' },
})
const asserted = (...items: readonly (readonly [text: string, target: Json])[]): Json => ({
  AssertAliases: { items: items.map(([text, target]) => ({ text, target })) },
})
const BOB = { Account: formatAddress(bob, 'cw') }
const paidBob = transfer(formatAddress(bob, 'cw'))

describe('aliases in JSON instructions', () => {
  it('are resolved to ids with one request, and one assertion of all aliases comes first', async () => {
    const { calls, batches } = gateway()
    expect(await built([transfer('Bob@bank', 'eur@bank'), transfer('bob@bank')], calls)).toEqual([
      asserted(['eur@bank', { Definition: 'eur#bank' }], ['bob@bank', BOB]),
      paidBob,
      paidBob,
    ])
    expect(batches).toEqual([['eur@bank', 'bob@bank', 'Bob@bank']])
  })

  it('cause no request if the instructions contain none', async () => {
    const { calls, batches } = gateway()
    expect(await built([paidBob], calls)).toEqual([paidBob])
    expect(batches).toEqual([])
  })

  it('are asserted inside the list of a proposal or trigger that uses them', async () => {
    const { calls } = gateway()
    const propose = (instructions: readonly Json[]): Json => ({
      Propose: { account: address, instructions, ttl_ms: null },
    })
    const jsonForm = propose([transfer('bob@bank'), propose([transfer('bob@bank')])])
    expect(await built([jsonForm], calls)).toEqual([
      propose([asserted(['bob@bank', BOB]), paidBob, propose([asserted(['bob@bank', BOB]), paidBob])]),
    ])
  })

  it('are asserted in the form computed by the client, whatever form a gateway returns', async () => {
    const { calls } = gateway({ canonical: 'thief@bank' })
    expect((await built([transfer('bob@bank')], calls))[0]).toEqual(asserted(['bob@bank', BOB]))
  })

  it('are resolved without a change of their text if they are labels of ABI 1', async () => {
    const [assertion] = await built([transfer('Carol_1@bank')], gateway().calls)
    expect(assertion).toEqual(asserted(['Carol_1@bank', { Account: formatAddress(carol, 'cw') }]))
  })

  it.each([
    ['nobody@bank', 'alias_unknown'],
    ['bob@@bank', 'bad_name'],
    ['mailto:bob@bank', 'plaintext_identifier'],
  ])('are refused for %s with %s', async (text, code) => {
    await expect(built([transfer(text)], gateway().calls)).rejects.toMatchObject({ code })
  })

  it('are refused on a chain that cannot assert them', async () => {
    await expect(built([transfer('bob@bank')], gateway({ abiVersion: 1 }).calls)).rejects.toMatchObject({
      code: 'alias_unknown',
    })
  })
})
