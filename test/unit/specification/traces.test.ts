/** Traces of docs/spec/height.qnt: what the reader refuses, and that the code follows those that are committed. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { follow, readTrace } from '../../../src/simulation/specification/index.js'
import { ACTIONS } from '../../../src/simulation/specification/itf.js'

const VECTORS = new URL('../../vectors/height-traces.json.gz', import.meta.url)
const documents: readonly object[] = JSON.parse(gunzipSync(readFileSync(VECTORS)).toString())
const texts = documents.map((document) => JSON.stringify(document))
const [first = ''] = texts

/** The first trace with one text in place of another, wherever it is. */
const changed = (find: string, by: string): string => {
  expect(first).toContain(find)
  return first.replaceAll(find, by)
}

describe('the traces of the formal specification', () => {
  it('cover every action', () => {
    const traces = texts.map(readTrace)
    expect(traces).toHaveLength(40)
    const actions = new Set(traces.flatMap(({ steps }) => steps.map(({ action }) => action)))
    expect([...actions].sort()).toEqual([...ACTIONS].sort())
  })

  it.each(texts.map((text, at) => [at, text] as const))('match the code in trace %i', (_, text) => {
    expect(follow(readTrace(text))).toBeUndefined()
  })

  it('are compared with the state of the code after each step, so that a difference is detected', () => {
    const trace = readTrace(first)
    const steps = trace.steps.map((step, at) => {
      if (at !== 60) return step
      const nodes = new Map([...step.nodes].map(([name, local]) => [name, { ...local, timedOut: local.timedOut + 1 }]))
      return { ...step, nodes }
    })
    expect(follow({ ...trace, steps })).toMatchObject({ step: 60 })
  })

  it('are compared with the proposals that the code sent, so that an unsent one is detected', () => {
    const trace = readTrace(first)
    const sent = trace.steps.findIndex(({ proposals }) => proposals.some(({ view }) => view > 0))
    const steps = trace.steps.map((step, at) => (at === sent ? { ...step, proposals: [] } : step))
    expect(follow({ ...trace, steps })).toMatchObject({ step: sent })
  })
})

describe('an invalid trace file', () => {
  it.each([
    ['is truncated', first.slice(0, first.length / 2), 'it is not JSON'],
    ['is of another specification', changed('::height::', '::chain::'), 'it is not a trace of docs/spec/height.qnt'],
    ['lacks a variable', changed('::height::votes"', '::height::ballots"'), '::height::votes'],
    ['has an action of another version', changed('"expire"', '"expires"'), 'no action "expires"'],
    ['has a text for a number', changed('"timedOut":{"#bigint":"-1"}', '"timedOut":"-1"'), 'timedOut'],
    ['has an invalid number', changed('"#bigint":"-1"', '"#bigint":"one"'), 'not an integer'],
    ['has no states', '{"vars":["m::height::nodes"],"states":[]}', 'it has 0 states'],
    ['is an empty object', '{}', 'trace is not a record with "vars"'],
  ])('that %s is rejected with exit code 2 and the position of the error', (_, text, place) => {
    expect(() => readTrace(text)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(place) }),
    )
  })
})
