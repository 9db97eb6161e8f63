/** Claims of payments behind an assertion of aliases: the last two instructions are still the payment. */
import { expect, it } from 'vitest'
import { instructions as assets } from '../../../src/features/assets/schema/instructions.js'
import { claimedPayment } from '../../../src/features/iso20022/schema/claimed.js'
import { claimKey, instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import { instructions as names } from '../../../src/features/names/schema/instructions.js'
import { instruction, NO_METADATA, type TransactionPayload } from '../../../src/model/index.js'
import { alice, bank, bob, euros, units } from '../../support/shared-payments.js'
import { DETAILS } from '../iso20022/support.js'

it('a claimed payment is found after an instruction that asserts aliases', () => {
  const target = { kind: 'account', value: bob } as const
  const payload: TransactionPayload = {
    chain: 'demo',
    authority: bank,
    createdAtMs: 1,
    ttlMs: 1,
    nonce: 1,
    metadata: NO_METADATA,
    dataspace: undefined,
    executable: {
      kind: 'instructions',
      value: [
        instruction(names.assertAliases, { items: [{ text: 'bob@bank', target }] }),
        instruction(iso.claimMessage, {
          submitter: bank,
          family: 'pacs008',
          messageId: 'M-1',
          idHash: claimKey(bank, 'pacs008', 'M-1'),
          bodyHash: Buffer.alloc(32),
          details: DETAILS,
        }),
        instruction(assets.transfer, { asset: euros(alice), to: bob, amount: units(1n) }),
      ],
    },
  }
  const found = claimedPayment(payload, { kind: 'approved', value: undefined })
  expect(found).toMatchObject({ claim: { messageId: 'M-1' }, transfer: { to: bob }, code: undefined })
})
