/** `causeway mcp`: what an assistant that starts the program gets of a node. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pause } from '../support/ports.js'
import { type Served, serve } from '../support/served.js'
import { startCauseway } from './run.js'

let served: Served
beforeAll(async () => {
  served = await serve()
})
afterAll(() => served.close())

test('the MCP server offers tools over standard input and output until the input closes', async () => {
  const program = startCauseway(['mcp', '--gateway', served.url])
  let out = ''
  let errors = ''
  program.stdout.on('data', (part: Buffer) => {
    out += part.toString()
  })
  program.stderr.on('data', (part: Buffer) => {
    errors += part.toString()
  })
  const answers = (): { id: number; result: { content?: { text: string }[] } }[] =>
    out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as never)
  const send = (message: object): void =>
    void program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const until = async (id: number): Promise<void> => {
    while (!answers().some((one) => one.id === id)) {
      if (program.exitCode !== null) throw new Error(`ended: ${errors}`)
      await pause(20)
    }
  }
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  send({ id: 1, method: 'initialize', params: hello })
  await until(1)
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/call', params: { name: 'domains', arguments: { limit: 1 } } })
  await until(2)
  send({ id: 3, method: 'tools/call', params: { name: 'account', arguments: { id: 'nobody@nowhere' } } })
  await until(3)
  const [, domains, empty] = answers()
  expect(domains?.result.content?.[0]?.text).toContain('"items"')
  expect(empty?.result).toMatchObject({ isError: true })
  expect(empty?.result.content?.[0]?.text).toContain('not_found')
  const ended = new Promise((resolve) => program.once('exit', resolve))
  program.stdin.end()
  expect([await ended, errors]).toEqual([0, ''])
})
