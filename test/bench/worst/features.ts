import { instructions as iso } from '../../../src/features/iso20022/schema/instructions.js'
import { instructions as lanes } from '../../../src/features/lanes/schema/instructions.js'
import { stageLanes } from '../../../src/lanes/index.js'
import { instruction, LANE_MAX } from '../../../src/model/index.js'
import * as core from '../../support/core.js'
import { laneSpecOf, setPolicy, updateLanes } from '../../support/lanes.js'

import {
  alice,
  bob,
  claim,
  IBAN,
  owner,
  payment,
  people,
  populated,
  RECEIPT,
  repeat,
  type WorstCase,
} from './inputs.js'

export const FEATURES: Readonly<Record<string, WorstCase>> = {
  'lanes: a name in a full catalogue': {
    by: owner,
    prepare: (bench) => {
      bench.genesis(owner, core.permission('grant', 'CanManageLanes', undefined, owner))
      const lane = (id: number) => ({ ...laneSpecOf(id), state: id < 60 ? ('active' as const) : ('retired' as const) })
      stageLanes(bench.state, repeat(LANE_MAX + 1, lane), undefined)
    },
    transactions: () => [repeat(5, (index) => updateLanes({ relabel: [{ lane: 7, alias: `seven-${index}` }] }))],
  },
  'lanes: dataspaces and the longest policy': {
    by: owner,
    prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanManageLanes', undefined, owner)),
    transactions: () =>
      repeat(4, (index) => [
        instruction(lanes.setDataspaces, {
          dataspaces: repeat(64, (id) => ({
            id: BigInt(id),
            alias: id === 0 ? 'universal' : `space-${id}`,
            faultTolerance: 1,
            restricted: false,
            relayers: [],
          })),
        }),
        setPolicy(
          index + 1,
          repeat(256, (rule) => ({ lane: 0, instruction: `asset::transfer${rule}` })),
        ),
      ]),
  },
  settlements: {
    isCommon: true,
    prepare: (bench) => populated(bench, 2),
    transactions: () =>
      repeat(20, (index) => {
        const legs = [payment(bob), payment(owner)] as const
        return [
          { kind: 'settleDvp', value: { id: `d${index}`, delivery: legs[0], payment: legs[1] } },
          { kind: 'settlePvp', value: { id: `p${index}`, first: legs[0], second: legs[1] } },
        ]
      }),
  },
  'settlements: received': {
    by: owner,
    isCommon: true,
    prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanRecordSettlement', '0', owner)),
    transactions: () =>
      repeat(40, () => [{ kind: 'recordSettlement', value: { lane: 0, receipt: RECEIPT, swap: undefined } }]),
  },
  'relay anchors': {
    by: owner,
    prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanManageRelayAnchors', undefined, owner)),
    transactions: () =>
      repeat(20, (index) => [
        {
          kind: 'setRelayAnchor',
          value: { chainHash: Buffer.alloc(32, 9), height: index + 2, committeeHash: Buffer.alloc(32, index) },
        },
      ]),
  },
  'ISO 20022: bindings': {
    by: owner,
    isCommon: true,
    prepare: (bench) => bench.genesis(owner, core.permission('grant', 'CanManageIsoCurrencies', undefined, owner)),
    transactions: () =>
      repeat(30, () => [
        { kind: 'bindIban', value: { iban: IBAN, account: alice } },
        { kind: 'unbindIban', value: { iban: IBAN } },
        { kind: 'bindCurrency', value: { currency: 'USD', definition: core.USD } },
        { kind: 'unbindCurrency', value: { currency: 'USD' } },
      ]),
  },
  'ISO 20022: the longest submitter': {
    by: owner,
    prepare: (bench) => populated(bench, 400),
    transactions: () =>
      repeat(8, () => [
        {
          kind: 'setSubmitter',
          value: {
            submitter: alice,
            bics: repeat(64, (index) =>
              `BANKDE${String(index).padStart(2, '0')}XXX`.replace(/(?<=BANKDE)../, (text) => `F${text[1]}`),
            ).map((bic, index) => `${bic.slice(0, 8)}${String(index).padStart(3, '0')}`),
            debtor: { kind: 'accounts', value: people(400) },
            limits: [],
          },
        },
      ]),
  },
  'ISO 20022: claims': {
    isCommon: true,
    prepare: (bench) =>
      bench.genesis(
        owner,
        instruction(iso.setSubmitter, {
          submitter: alice,
          bics: [],
          debtor: { kind: 'accounts', value: [alice] },
          limits: [],
        }),
      ),
    transactions: () => repeat(40, (index) => [claim(`message ${index}`), core.transfer(alice, bob, 1n)]),
  },
}
