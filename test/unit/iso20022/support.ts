/** Owns the shared support of the bridge tests: a payment with parties on the ledger, and a bridge with a fake node. */
import type { NodeServices } from '../../../src/api/services.js'
import { ed25519Signer } from '../../../src/crypto/index.js'
import { Batches } from '../../../src/features/iso20022/bridge/batches.js'
import type { BridgeContext } from '../../../src/features/iso20022/bridge/context.js'
import { MessageMutex } from '../../../src/features/iso20022/bridge/message-mutex.js'
import { Submitters } from '../../../src/features/iso20022/bridge/submitters.js'
import { ReferenceData } from '../../../src/features/iso20022/refdata/service.js'
import type { MessageDetails } from '../../../src/features/iso20022/schema/instructions.js'
import type { LedgerMessage, MessageHead } from '../../../src/features/iso20022/schema/messages.js'
import type { Resolution, ResolveAllQuery } from '../../../src/features/iso20022/schema/views.js'
import { accountKeyOf, accountOfKey } from '../../../src/model/index.js'
import { accountNamed } from '../../support/executor.js'
import type { FakeNode } from '../gateway/support.js'

/** Resolution of a permitted payment of alice to bob. */
export const RESOLVED: Resolution = {
  source: accountNamed('alice'),
  target: accountNamed('bob'),
  definition: 'eur#bank',
  scale: 2,
  submitterKnown: true,
  mayDebit: true,
  bics: '',
  payerRefusal: undefined,
  receiverRefusal: undefined,
}

export const DETAILS: MessageDetails = {
  currency: 'EUR',
  settlementDate: '2026-03-02',
  instructionId: undefined,
  endToEndId: 'E2E-1',
  senderTransactionId: undefined,
  uetr: undefined,
  changes: [],
}

/** A message PAY-1 of a submitter that was paid in a block. */
export const paidMessage = (submitter: string, bodyHash: Uint8Array): LedgerMessage => ({
  submitter,
  family: 'pacs008',
  messageId: 'PAY-1',
  bodyHash,
  details: DETAILS,
  source: accountNamed('alice'),
  target: accountNamed('bob'),
  definition: 'eur#bank',
  amount: { mantissa: 1001n, scale: 1 },
  transactionHash: Buffer.alloc(32, 3),
  receivedAtMs: 1_000,
  height: 5,
  timeMs: 2_000,
  rejection: undefined,
})

/** Responses of the ledger of a fake node for payments and messages. */
export interface FakeLedger {
  resolution: Resolution | Error
  messages: LedgerMessage[]
  heads?: MessageHead[]
}

/** Services of a node with such a ledger. */
export const servicesOf = (node: FakeNode, ledger: FakeLedger): NodeServices => ({
  ...node.services,
  queries: () => new Map(),
  query: async (def, input) => {
    if (def.kind === 'isoMessages') {
      const { messageId, submitter } = input as { messageId: string; submitter: string | undefined }
      const isMeant = (one: LedgerMessage): boolean =>
        one.messageId === messageId && (submitter === undefined || submitter === one.submitter)
      return { items: ledger.messages.filter(isMeant), heads: ledger.heads ?? [] } as never
    }
    if (def.kind === 'isoPayments') return { items: [] } as never
    if (def.kind !== 'isoResolve' && def.kind !== 'isoResolveAll') return node.services.query(def, input)
    const { resolution } = ledger
    if (resolution instanceof Error) throw resolution
    if (def.kind === 'isoResolve') return resolution as never
    return { items: (input as ResolveAllQuery).items.map(() => resolution) } as never
  },
})

/** A bridge without holds and settlement window, except for the given settings. */
export function bridgeOf(
  services: NodeServices,
  parts: Pick<BridgeContext, 'store' | 'reader'> & Partial<BridgeContext>,
): BridgeContext {
  const signer = ed25519Signer(Buffer.alloc(32, 9))
  const key = accountKeyOf('ed25519', signer.publicKey)
  const wallMs = parts.wallMs ?? (() => Date.now())
  const account = { account: accountOfKey(key), key, sign: (id: Uint8Array) => signer.sign(id) }
  return {
    services,
    signer: account,
    batches: new Batches({ services, store: parts.store, signer: account, wallMs }),
    anonymousSubmitter: undefined,
    settlementWindow: { pastDays: undefined, futureDays: undefined },
    duplicateUetr: 'warn',
    holds: [],
    pins: 'match',
    reference: new ReferenceData({}, wallMs),
    mutex: new MessageMutex(),
    submitters: new Submitters(),
    wallMs,
    audit: { append: async () => undefined },
    logger: { warn: () => undefined },
    ...parts,
  }
}
