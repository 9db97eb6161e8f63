/** The next command that a command names can be typed where it is read. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { freshPeer } from '../support/fresh-peer.js'
import { causeway } from './run.js'

test('the command suggested after `genesis pin` works from outside the folder of the peer', async () => {
  const root = await mkdtemp(join(tmpdir(), 'causeway-next-'))
  const { folder } = await freshPeer(root, Date.now())
  const cwd = dirname(folder)
  const pin = await causeway(['genesis', 'pin', 'val-0/genesis.signed', '--config', 'val-0/node.toml'], { cwd })
  const next = /Next: causeway (.+)\n/.exec(pin.stderr)?.[1] ?? ''
  expect(next).toBe('doctor --config val-0/node.toml')
  expect((await causeway([...next.split(' '), '--json'], { cwd })).json()).toMatchObject({ healthy: true })
  await rm(root, { recursive: true })
})
