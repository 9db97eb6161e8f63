/** Random valid messages through the bridge to a ledger: each is paid once, with its exact amount. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { normalizeNumeric } from '../../../src/codec/index.js'
import { ed25519Signer } from '../../../src/crypto/index.js'
import { instructions as accounts } from '../../../src/features/accounts/schema.js'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { instructions as domains } from '../../../src/features/domains/schema.js'
import { RecordStore } from '../../../src/features/iso20022/bridge/store.js'
import { submitMessage } from '../../../src/features/iso20022/bridge/submission.js'
import { formatAmount } from '../../../src/features/iso20022/message/index.js'
import { currencies } from '../../../src/features/iso20022/message/values/currency.js'
import { MessageReader } from '../../../src/features/iso20022/reader/reader.js'
import { instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import { instructions as permissions } from '../../../src/features/permissions/schema.js'
import { assetObject } from '../../../src/ledger/asset-permissions.js'
import { accountObject } from '../../../src/ledger/permission-kinds.js'
import { balances } from '../../../src/ledger/tables.js'
import {
  accountKeyOf,
  accountOfKey,
  type Instruction,
  instruction,
  LedgerError,
  NO_METADATA,
  signedTransaction,
} from '../../../src/model/index.js'
import { FLAT_008 } from '../../fixtures/iso20022/messages.js'
import { accountNamed, Bench } from '../../support/executor.js'
import { CODEC, FakeNode } from '../../unit/gateway/support.js'
import { bridgeOf, servicesOf } from '../../unit/iso20022/support.js'

const owner = accountNamed('owner')
const alice = accountNamed('alice')
const bob = accountNamed('bob')
const signer = ed25519Signer(Buffer.alloc(32, 9))
const key = accountKeyOf('ed25519', signer.publicKey)
const bridgeAccount = accountOfKey(key)
/** Initial balance of alice in every currency, in whole units. */
const START = 10n ** 18n

let folder: string
let store: RecordStore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-paid-'))
  store = await RecordStore.open(folder)
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const account = (id: string): Instruction =>
  instruction(accounts.registerAccount, { id, domain: 'bank', label: undefined, metadata: NO_METADATA })
const permission = (name: string, object: string): Instruction =>
  instruction(permissions.grant, {
    subject: { kind: 'permission', value: { name, object } },
    to: { kind: 'account', value: bridgeAccount },
  })

/** A ledger with one definition of the scale of a currency, and the other objects that the bridge needs. */
function ledger(scale: number): Bench {
  const bench = new Bench()
  const asset = { definition: 'money#bank', account: alice }
  bench.genesis(
    owner,
    instruction(domains.registerDomain, { id: 'bank', dataspace: undefined, metadata: NO_METADATA }),
    ...[owner, alice, bob, bridgeAccount].map(account),
    instruction(assets.registerAssetDefinition, {
      id: 'money#bank',
      scale,
      mintable: { kind: 'infinitely', value: undefined },
      metadata: NO_METADATA,
    }),
    instruction(assets.mint, { asset, amount: { mantissa: START, scale: 0 } }),
    instruction(iso.setSubmitter, {
      submitter: bridgeAccount,
      bics: [],
      debtor: { kind: 'domain', value: 'bank' },
      limits: [],
    }),
  )
  expect(bench.run(alice, permission('CanTransferAsset', assetObject(asset)))).toBeUndefined()
  expect(bench.run(bridgeAccount, permission('CanClaimMessages', accountObject(bridgeAccount)))).toBeUndefined()
  return bench
}

const money = fc
  .constantFrom(...currencies())
  .chain(({ code, scale }) =>
    fc.bigInt({ min: 1n, max: 10n ** 17n - 1n }).map((mantissa) => ({ code, scale, mantissa })),
  )

let counter = 0

describe('a random valid message', () => {
  it('transfers exactly its amount, and transfers nothing if it is repeated', async () => {
    await fc.assert(
      fc.asyncProperty(money, async ({ code, scale, mantissa }) => {
        const bench = ledger(scale)
        const node = new FakeNode()
        const found = {
          source: alice,
          target: bob,
          definition: 'money#bank',
          scale,
          submitterKnown: true,
          mayDebit: true,
          bics: '',
          payerRefusal: undefined,
          receiverRefusal: undefined,
        }
        const bridge = bridgeOf(servicesOf(node, { resolution: found, messages: [] }), {
          store,
          reader: new MessageReader(),
          signer: { account: bridgeAccount, key, sign: (id) => signer.sign(id) },
          anonymousSubmitter: bridgeAccount,
        })
        counter += 1
        const body = FLAT_008.map((line) => {
          if (line.startsWith('MsgId=')) return `MsgId=PAID-${counter}`
          if (line.startsWith('IntrBkSttlmAmt=')) return `IntrBkSttlmAmt=${formatAmount({ mantissa, scale })}`
          return line.startsWith('IntrBkSttlmCcy=') ? `IntrBkSttlmCcy=${code}` : line
        }).join('\n')
        const caller = { kind: 'anonymous', account: undefined } as const
        const answer = await submitMessage(bridge, 'pacs008', Buffer.from(body), caller)
        if (answer instanceof LedgerError) throw answer
        const again = await submitMessage(bridge, 'pacs008', Buffer.from(body), caller)
        expect(again).toMatchObject({ replayed: true })
        expect(node.submitted).toHaveLength(1)
        const decoded = signedTransaction.decode(node.submitted[0] ?? Buffer.alloc(0), CODEC)
        if (!decoded.ok) throw new Error(decoded.fault.message)
        const { executable } = decoded.value.payload.value
        if (executable.kind !== 'instructions') throw new Error('a payment has instructions')
        const instructions = executable.value
        expect(bench.run(bridgeAccount, ...instructions)).toBeUndefined()
        // The same transaction under another id, as from another gateway or attempt.
        expect(bench.run(bridgeAccount, ...instructions)).toBe('iso_duplicate_message')
        const held = (account: string) => bench.state.get(balances, { definition: 'money#bank', account })
        expect(held(bob)).toEqual(normalizeNumeric({ mantissa, scale }))
        expect(held(alice)).toEqual(normalizeNumeric({ mantissa: START * 10n ** BigInt(scale) - mantissa, scale }))
      }),
      { numRuns: 100 },
    )
  })
})
