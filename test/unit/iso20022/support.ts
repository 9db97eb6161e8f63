/** Owns what the tests of the bridge share: a payment whose parties the ledger knows. */
import type { Resolution } from '../../../src/features/iso20022/schema/views.js'
import { accountNamed } from '../../support/executor.js'

/** What the ledger says of a payment of alice to bob that nothing bars. */
export const RESOLVED: Resolution = {
  source: accountNamed('alice'),
  target: accountNamed('bob'),
  definition: 'eur#bank',
  scale: 2,
  submitterKnown: true,
  mayDebit: true,
  bics: '',
  barred: undefined,
  receiverBarred: undefined,
}
