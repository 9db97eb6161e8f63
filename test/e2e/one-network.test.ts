/** Suites that share one network of four validators: none needs a new ledger or a configuration of its own, or kills a node. */
import { afterAll, beforeAll, describe, vi } from 'vitest'
import { TestNet } from './localnet.js'
import { badInputSuite } from './suites/bad-input.js'
import { instructionSuite } from './suites/instructions.js'
import { isoGatewaySuite } from './suites/iso-gateways.js'

// Longer than the longest wait inside, so that it is the wait that says what did not happen.
vi.setConfig({ testTimeout: 180_000 })

let net: TestNet
beforeAll(async () => {
  net = await TestNet.start()
}, 120_000)
afterAll(() => TestNet.closeAll(), 60_000)

const network = (): TestNet => net
describe('bad input', () => badInputSuite(network))
describe('messages at several gateways', () => isoGatewaySuite(network))
// Last: what it registers goes on paying.
describe('instructions', () => instructionSuite(network))
