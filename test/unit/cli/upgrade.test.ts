/** Queries of commands before they sign that a network switches to another ABI. */
import { expect, it } from 'vitest'
import { abiOfUpgrade, lookAtAbi, type NamedAbi } from '../../../src/cli/chain/upgrade.js'
import type { CausewayClient } from '../../../src/client/index.js'
import { LedgerError } from '../../../src/model/errors.js'

const HASH = 'a1'.repeat(32)
const ID = 'b2'.repeat(32)
const abis = {
  items: [
    { abi_version: 1, abi_hash: 'c3'.repeat(32) },
    { abi_version: 2, abi_hash: HASH },
  ],
}
const upgrades = { items: [{ id: ID, manifest: { abi_version: 2, abi_hash: HASH } }], height: 9 }

/** A node with these answers. */
const nodeOf = (answers: Readonly<Record<string, object>>): CausewayClient =>
  ({
    json: async (_method: string, path: string) => {
      const found = answers[path]
      if (found === undefined) throw new LedgerError('route_not_found', 'no route matches this path')
      return found
    },
  }) as unknown as CausewayClient
const NODE = nodeOf({ '/v1/runtime/abis': abis, '/v1/runtime/upgrades': upgrades })

async function remarksOn(abi: NamedAbi, client = NODE): Promise<string[]> {
  const remarks: string[] = []
  await lookAtAbi({ client, remark: (line) => void remarks.push(line) }, abi)
  return remarks
}

it('an upgrade to an ABI that the node supports is signed without a note, in any notation of the hash', async () => {
  expect(await remarksOn({ number: 2, hash: HASH })).toEqual([])
  expect(await remarksOn({ number: 2, hash: `0x${HASH.toUpperCase()}` })).toEqual([])
})

it('a hash that differs from the release of the node is refused, and nothing is signed', async () => {
  const slip = HASH.replace('a', 'b')
  await expect(remarksOn({ number: 2, hash: slip })).rejects.toMatchObject({ code: 'abi_missing' })
  // That of another number.
  await expect(remarksOn({ number: 1, hash: HASH })).rejects.toMatchObject({ code: 'abi_missing' })
})

it('a node without the ABI or without a list of ABIs does not prevent signing', async () => {
  expect(await remarksOn({ number: 3, hash: HASH })).toEqual([expect.stringContaining('does not support ABI 3')])
  expect(await remarksOn({ number: 2, hash: HASH }, nodeOf({}))).toEqual([expect.stringContaining('did not report')])
})

it('an upgrade is activated for its proposed ABI', async () => {
  expect(await abiOfUpgrade(NODE, ID)).toEqual({ number: 2, hash: HASH })
  expect(await abiOfUpgrade(NODE, HASH)).toBeUndefined()
})
