/** Suites that share one network of four validators: none needs a new ledger or a configuration of its own, or kills a node. */
import { afterAll, beforeAll, describe } from 'vitest'
import { TestNet } from './localnet.js'
import { badInputSuite } from './suites/bad-input.js'
import { instructionSuite } from './suites/instructions.js'
import { isoGatewaySuite } from './suites/iso-gateways.js'

let net: TestNet
beforeAll(async () => {
  net = await TestNet.start()
})
afterAll(() => TestNet.closeAll())

const network = (): TestNet => net
describe('bad input', () => badInputSuite(network))
describe('messages at several gateways', () => isoGatewaySuite(network))
// Last: what it registers goes on paying.
describe('instructions', () => instructionSuite(network))
