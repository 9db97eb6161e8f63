/** What a configuration expects of the chain against the last block of the node. */
import { describe, expect, it } from 'vitest'
import { parseNodeConfig } from '../../../src/node/config/index.js'
import { assertExpected } from '../../../src/node/expected-chain.js'
import type { Tip } from '../../../src/node/ledger/protocol.js'

const configOf = (text: string) => parseNodeConfig(`[genesis]\nhash = "${'ab'.repeat(32)}"\n${text}`, '/net/node.toml')
const mode = (name: string) => configOf(`[consensus]\nconsensus_mode = "${name}"\n`)
const lanes = (enabled: boolean) => configOf(`[lanes]\nenabled = ${enabled}\n`)
const last = (tip: Partial<Tip>) => ({
  height: 7,
  tip: { mode: 'permissioned', stagedMode: undefined, lanes: undefined, ...tip },
})

describe('a node whose configuration says nothing of the chain', () => {
  it.each(['permissioned', 'npos'])(
    'runs where the mode is %s, so also while it catches up over a change of it',
    (name) => {
      expect(() => assertExpected(configOf(''), last({ mode: name }))).not.toThrow()
    },
  )
})

describe('a node whose configuration names a mode', () => {
  it('runs in that mode, and where it waits for its height', () => {
    expect(() => assertExpected(mode('permissioned'), last({}))).not.toThrow()
    expect(() => assertExpected(mode('npos'), last({ mode: 'npos' }))).not.toThrow()
    expect(() => assertExpected(mode('npos'), last({ stagedMode: 'npos' }))).not.toThrow()
  })

  it('stops in another one, and says where it is and that the key may be left out', () => {
    expect(() => assertExpected(mode('npos'), last({}))).toThrow(
      expect.objectContaining({
        code: 'consensus_mode_mismatch',
        message: expect.stringContaining('height 7, the last of this node, is permissioned'),
        hint: expect.stringContaining('leave the key out'),
      }),
    )
    const staged = last({ mode: 'npos', stagedMode: 'npos' })
    expect(() => assertExpected(mode('permissioned'), staged)).toThrow(/is npos and npos waits/)
  })
})

describe('a node whose configuration says whether there are lanes', () => {
  it('stops where the chain has none, or has some', () => {
    expect(() => assertExpected(lanes(false), last({}))).not.toThrow()
    expect(() => assertExpected(lanes(true), last({}))).toThrow(expect.objectContaining({ code: 'lanes_mismatch' }))
  })
})
