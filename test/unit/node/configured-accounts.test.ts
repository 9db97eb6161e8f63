/** Accounts that a configuration names by an alias which this node does not know yet. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { NodeServices } from '../../../src/api/services.js'
import type { AccountId } from '../../../src/model/index.js'
import { ConfiguredAccounts } from '../../../src/node/configured-accounts.js'
import { testAccount } from '../../support/chain.js'
import { pause } from '../../support/ports.js'

let known: AccountId | undefined
let commit: () => void
let logged: string[]
let accounts: ConfiguredAccounts

beforeEach(() => {
  known = undefined
  commit = () => expect.unreachable()
  logged = []
  const services = {
    info: { addressPrefix: 'cw' },
    queries: () => new Map(),
    query: async () => (known === undefined ? undefined : { id: known }),
    onCommit: (onCommit: () => void) => {
      commit = onCommit
      return () => {
        commit = () => undefined
      }
    },
  } as unknown as NodeServices
  const log = (_: object, text: string): void => void logged.push(text)
  accounts = new ConfiguredAccounts(services, { info: log, warn: log } as never)
})

const passed = (): Promise<void> => pause(5)

describe('an unknown alias in the configuration', () => {
  it('does not prevent the start, and resolves once a block registers it', async () => {
    const desk = await accounts.resolve('gateway.api_tokens "desk"', 'desk@bank-a')
    expect(desk.id).toBeUndefined()
    accounts.started()
    commit()
    await passed()
    expect(desk.id).toBeUndefined()
    known = (await testAccount('desk')).id
    commit()
    await passed()
    expect(desk.id).toBe(known)
    expect(logged).toEqual(['account does not exist yet: retrying after each block', 'account found'])
  })

  it('is rejected when the configuration is reloaded', async () => {
    accounts.started()
    await expect(accounts.resolve('iso.hold[0].submitter', 'desk@bank-a')).rejects.toMatchObject({
      code: 'config_invalid',
      message: 'iso.hold[0].submitter: account does not exist',
    })
  })
})

it('an invalid account text in the configuration is rejected at the start', async () => {
  await expect(accounts.resolve('webhooks.owners[0]', 'desk')).rejects.toMatchObject({ code: 'config_invalid' })
})
