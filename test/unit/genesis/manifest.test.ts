import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateKeyPair, signEd25519 } from '../../../src/crypto/index.js'
import { systemAccount } from '../../../src/executor/accounts.js'
import { NEWEST_ABI } from '../../../src/features/abi.js'
import {
  accountKeyOf,
  accountOfKey,
  formatAddress,
  type GenesisPayload,
  type Instruction,
  keyBytes,
  type LedgerError,
  type MultisigPolicy,
  tokenObject,
} from '../../../src/model/index.js'
import { signGenesis, verifyGenesis } from '../../../src/node/chain/genesis.js'
import type { FileFault } from '../../../src/node/config/index.js'
import {
  accountsOf,
  decodeGenesis,
  fillTemplate,
  GENESIS_FRAME,
  parseManifest,
  readGenesisFile,
  writeGenesisFile,
} from '../../../src/node/genesis/index.js'
import { accountNamed } from '../../support/executor.js'
import { genesisKey, manifest } from './support.js'

const options = { abi: NEWEST_ABI, nowMs: 5 }
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genesis-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function faultsOf(text: string): Promise<readonly FileFault[]> {
  try {
    await parseManifest(text, 'genesis.json', options)
  } catch (error) {
    expect((error as LedgerError).code).toBe('genesis_invalid')
    return (error as LedgerError).details?.faults as FileFault[]
  }
  return []
}

const addressOf = async (): Promise<{ id: string; address: string }> => {
  const id = accountOfKey(accountKeyOf('ed25519', (await genesisKey).publicKey.bytes))
  return { id, address: formatAddress(id) }
}

async function sign(text: string) {
  const payload = await parseManifest(text, 'genesis.json', options)
  const { secret } = await genesisKey
  return signGenesis(NEWEST_ABI, payload, (message) => signEd25519(secret, message))
}

describe('a genesis manifest', () => {
  test('is converted to the payload, with each parameter in its own encoding', async () => {
    const { address } = await addressOf()
    const instructions = [
      { RegisterDomain: { id: 'bank', metadata: {} } },
      { RegisterAccount: { id: address, domain: 'bank', label: 'admin', metadata: {} } },
    ]
    const text = await manifest({ parameters: { block_time_ms: 50 }, instructions })
    const payload = await parseManifest(text, 'genesis.json', options)
    expect(payload.chain).toBe('test')
    expect(payload.createdAtMs).toBe(1_767_225_600_000)
    expect(payload.topology).toHaveLength(4)
    expect(payload.instructions.map((one) => one.kind)).toEqual(['registerDomain', 'registerAccount'])
    expect([...payload.parameters.keys()]).toEqual(['block_time_ms'])
  })

  test('uses the time of the caller if it has none', async () => {
    const text = await manifest({ created_at_ms: undefined })
    expect((await parseManifest(text, 'genesis.json', options)).createdAtMs).toBe(5)
  })

  test('reports every fault, with its line', async () => {
    const text = await manifest({
      address_prefix: 'UPPER',
      consensus_mode: 'anarchy',
      genesis_key: 'none',
      parameters: { block_time: 5, block_time_ms: 9_999_999 },
      instructions: [{ RegisterDomain: { id: 'b#nk', metadata: {} } }, { Nothing: {} }],
      features: { staking: {} },
    })
    const faults = await faultsOf(text)
    expect(faults.map((one) => one.path).sort()).toEqual([
      'address_prefix',
      'consensus_mode',
      'features.staking',
      'genesis_key',
      'instructions[0].RegisterDomain.id',
      'instructions[1].Nothing',
      'parameters.block_time',
      'parameters.block_time_ms',
    ])
    expect(faults.find((one) => one.path === 'parameters.block_time')?.message).toContain('block_time_ms')
    expect(faults.every((one) => (one.line ?? 0) > 0)).toBe(true)
  })

  test('reads a separate topology file, and reports its faults', async () => {
    await writeFile(join(folder, 'topology.json'), '{"peers": []}')
    const text = await manifest({ topology: 'topology.json' })
    await expect(parseManifest(text, join(folder, 'genesis.json'), options)).rejects.toThrow('no validator is listed')
    const missing = await manifest({ topology: 'absent.json' })
    await expect(parseManifest(missing, join(folder, 'genesis.json'), options)).rejects.toThrow('no such file')
  })

  test('reports the position of an instruction that genesis rejects', async () => {
    const text = await manifest({ instructions: [{ BindCurrency: { currency: 'EUR', definition: 'eur#bank' } }] })
    await expect(sign(text)).rejects.toThrow(/instructions\[0\] \(bindCurrency\)/)
  })

  test('may contain every family of instructions', async () => {
    const { address } = await addressOf()
    const at = Date.UTC(2100, 0, 1)
    const log = { Log: { level: 'Info', text: 'hello' } }
    const text = await manifest({
      instructions: [
        { RegisterDomain: { id: 'town', metadata: {} } },
        { RegisterAccount: { id: address, domain: 'town', label: 'mayor', metadata: {} } },
        { RegisterAssetDefinition: { id: 'coin#town', scale: 2, mintable: { Limited: 2 }, metadata: {} } },
        { Mint: { asset: { definition: 'coin#town', account: address }, amount: '5' } },
        { RegisterNft: { id: 'hall$town', content: { floors: 3 } } },
        {
          RegisterRole: {
            id: 'clerk',
            permissions: [{ name: 'CanTransferAsset', object: `coin#town#${address}` }],
            managers: [address],
          },
        },
        { Grant: { subject: { Role: 'clerk' }, to: { Account: address } } },
        {
          RegisterMultisig: {
            policy: { members: [{ account: address, weight: 1 }], quorum: 1, ttl_ms: 1_000 },
            target: { Create: { domain: 'town', label: 'council', metadata: {} } },
          },
        },
        {
          RegisterTrigger: {
            id: 'bell',
            authority: address,
            filter: { Time: { start_ms: at, period_ms: 3_600_000 } },
            instructions: [log],
            repeats: null,
            metadata: {},
          },
        },
        { SponsorFees: { beneficiary: { Domain: 'town' }, terms: null } },
      ],
    })
    // The last one has nothing to end: all before it were taken.
    await expect(sign(text)).rejects.toThrow(/instructions\[9\] \(sponsorFees\)/)
  })

  test('accepts members of a policy in any order', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map((name) => accountNamed(name)).sort()
    const orders = [names, [...names].reverse()]
    const policies = orders.map(async (ids) => {
      const members = ids.map((id) => ({ account: formatAddress(id), weight: 1 }))
      const target = { Create: { domain: 'town', label: null, metadata: {} } }
      const register = { RegisterMultisig: { policy: { members, quorum: 1, ttl_ms: 1_000 }, target } }
      const { instructions } = await parseManifest(
        await manifest({ instructions: [register] }),
        'genesis.json',
        options,
      )
      const [only] = instructions as [Instruction]
      return (only.value as { policy: MultisigPolicy }).policy.members.map((one) => one.account)
    })
    expect(await Promise.all(policies)).toEqual([names, names])
  })

  test('accepts addresses as objects of grants', async () => {
    const { id, address } = await addressOf()
    const hex = keyBytes(id).toString('hex')
    expect(tokenObject(`eur#bank#${address}`)).toBe(`eur#bank#${hex}`)
    expect(tokenObject(address)).toBe(hex)
    expect(tokenObject('eur#bank')).toBe('eur#bank')
    expect(tokenObject(`eur#bank#${hex}`)).toBe(`eur#bank#${hex}`)
  })
})

describe('a signed genesis', () => {
  test('has the same bytes when built twice from one manifest, and its file can be verified', async () => {
    const text = await manifest()
    const [first, second] = [await sign(text), await sign(text)]
    expect(first.bytes.equals(second.bytes)).toBe(true)
    const file = join(folder, 'genesis.signed')
    await writeGenesisFile(file, first.bytes)
    const read = await readGenesisFile(NEWEST_ABI, file)
    expect((await verifyGenesis(NEWEST_ABI, read)).hash.equals(first.hash)).toBe(true)
    await expect(writeGenesisFile(file, first.bytes)).rejects.toMatchObject({ code: 'file_exists' })
  })

  test('preserves a different address prefix in its file', async () => {
    const signed = await sign(await manifest({ address_prefix: 'demo' }))
    const read = decodeGenesis(NEWEST_ABI, GENESIS_FRAME.wrap(signed.bytes), 'g')
    expect((await verifyGenesis(NEWEST_ABI, read)).hash.equals(signed.hash)).toBe(true)
  })

  test('is rejected with a wrong signature or as a corrupt file', async () => {
    const signed = await sign(await manifest())
    const forged = { ...signed.genesis, signature: Buffer.alloc(64, 1) }
    await expect(verifyGenesis(NEWEST_ABI, forged)).rejects.toMatchObject({ code: 'genesis_invalid' })
    const file = GENESIS_FRAME.wrap(signed.bytes)
    expect(() => decodeGenesis(NEWEST_ABI, file.subarray(0, 100), 'g')).toThrow(/payload has/)
    expect(() => decodeGenesis(NEWEST_ABI, Buffer.from('no frame'), 'g')).toThrow(/CWY1/)
    file[200]! ^= 1
    expect(() => decodeGenesis(NEWEST_ABI, file, 'g')).toThrow(/checksum/)
  })
})

/** A template of genesis/ with made-up accounts and the topology of the tests. */
async function filledTemplate(name: string): Promise<GenesisPayload> {
  const text = await readFile(`genesis/${name}.json`, 'utf8')
  const accounts: Record<string, string> = {}
  for (const account of accountsOf(text)) {
    const pair = await generateKeyPair('ed25519', Buffer.from(account))
    accounts[account] = formatAddress(accountOfKey(accountKeyOf('ed25519', pair.publicKey.bytes)))
  }
  const base = JSON.parse(await manifest()) as {
    genesis_key: string
    topology: { key: string; pop: string; network_key: string }[]
  }
  const peers = Object.fromEntries(
    base.topology.map(({ key, pop, network_key: network }, index) => [`val-${index}`, { key, pop, network }]),
  )
  const values = {
    peers,
    chain: 'demo',
    genesisKey: base.genesis_key,
    topology: 'topology.json',
    accounts,
    createdAtMs: 7,
  }
  const filled = JSON.parse(fillTemplate(text, name, values)) as Record<string, unknown>
  return parseManifest(JSON.stringify({ ...filled, topology: base.topology }), 'genesis.json', options)
}

describe('genesis templates', () => {
  test.each([
    ['permissioned-4', ['admin', 'alice', 'bob', 'bridge']],
    ['iso-demo', ['admin', 'alice', 'bob', 'carol', 'bridge']],
    ['lanes-3', ['admin', 'alice', 'bob', 'carol']],
  ] as const)('%s can be signed once it is filled', async (name, names) => {
    expect(accountsOf(await readFile(`genesis/${name}.json`, 'utf8'))).toEqual(names)
    const payload = await filledTemplate(name)
    expect(payload.createdAtMs).toBe(7)
    const { secret } = await genesisKey
    const signed = await signGenesis(NEWEST_ABI, payload, (message) => signEd25519(secret, message))
    expect(signed.hash).toHaveLength(32)
  })

  /** Permissions that genesis grants to an account. */
  const heldBy = ({ instructions }: Awaited<ReturnType<typeof filledTemplate>>, account: string): string[] =>
    instructions.flatMap(({ kind, value }) => {
      const { subject, to } = value as { subject: { value: { name: string } }; to: { value: string } }
      return kind === 'grant' && to.value === account ? [subject.value.name] : []
    })

  test('grant every global permission to their admin, except templates that set up governance', async () => {
    const globals = [...NEWEST_ABI.permissions.values()].filter((def) => def.on === undefined).map((def) => def.name)
    const shown = ['registerRole', 'registerNft', 'registerTrigger', 'setLimits']
    for (const name of await readdir('genesis')) {
      const payload = await filledTemplate(name.replace('.json', ''))
      const kinds = payload.instructions.map((one) => one.kind)
      const admin = payload.instructions.find((one) => (one.value as { label?: string }).label === 'admin')?.value
      const held = heldBy(payload, (admin as { id: string }).id)
      if (kinds.includes('foundGovernance')) {
        const governed = heldBy(payload, systemAccount('gov'))
        expect(governed).toContain('CanSetParameters')
        expect(
          held.filter((one) => governed.includes(one)),
          name,
        ).toEqual([])
      } else {
        expect(held, name).toEqual(expect.arrayContaining(globals))
        expect(kinds, name).toEqual(expect.arrayContaining(shown))
      }
    }
  })

  test('place lane instructions before all others, with defaults for omitted fields', async () => {
    const lanes = {
      dataspaces: [{ id: 7, alias: 'closed', restricted: true }],
      lanes: [{ id: 1, alias: 'one', dataspace: '7', teu_capacity: 9_000 }],
      policy: { default_lane: 0, rules: [{ lane: 1, scope: '7' }] },
    }
    const instructions = [{ RegisterDomain: { id: 'bank', dataspace: '7', metadata: {} } }]
    const text = await manifest({ parameters: { 'lanes.enabled': true }, lanes, instructions })
    const payload = await parseManifest(text, 'genesis.json', options)
    expect(payload.instructions.map((one) => one.kind)).toEqual([
      'setDataspaces',
      'updateLanes',
      'setRoutingPolicy',
      'registerDomain',
    ])
    expect(payload.instructions[0]?.value).toMatchObject({
      dataspaces: [
        { id: 0n, alias: 'universal', faultTolerance: 1 },
        { id: 7n, restricted: true, relayers: [] },
      ],
    })
    expect(payload.instructions[1]?.value).toMatchObject({
      add: [{ id: 1, dataspace: 7n, visibility: 'public', storage: 'fullReplica', teuCapacity: 9_000, settlement: [] }],
    })
    expect(payload.instructions[2]?.value).toMatchObject({ policy: { version: 1, rules: [{ lane: 1, scope: 7n }] } })
    expect((await sign(text)).hash).toHaveLength(32)
  })

  test('report faults in their lanes section with the position', async () => {
    const lanes = {
      dataspaces: [{ id: 'x', alias: 'closed' }],
      lanes: [{ id: 1, alias: 'a b' }],
      policy: { default_lane: 0, rules: [{ lane: 'one' }] },
      more: 1,
    }
    const places = (await faultsOf(await manifest({ lanes }))).map((one) => one.path)
    expect(places).toEqual(
      expect.arrayContaining([
        'lanes.more',
        'lanes.dataspaces[0].id',
        'lanes.lanes[0].alias',
        'lanes.policy.rules[0].lane',
      ]),
    )
    expect((await faultsOf(await manifest({ lanes: { lanes: 7 } })))[0]?.path).toBe('lanes.lanes')
    expect((await faultsOf(await manifest({ lanes: [] })))[0]?.path).toBe('lanes')
  })

  test('may define as many dataspaces as the ledger allows, including the universal dataspace', async () => {
    const dataspaces = Array.from({ length: 64 }, (_, at) => ({ id: at + 1, alias: `space-${at}` }))
    const [fault] = await faultsOf(await manifest({ lanes: { dataspaces } }))
    expect(fault).toMatchObject({ path: 'lanes.dataspaces', message: expect.stringContaining('the limit is 64') })
    const most = { dataspaces: dataspaces.slice(1) }
    const payload = await parseManifest(await manifest({ lanes: most }), 'genesis.json', options)
    expect(payload.instructions[0]?.value).toHaveProperty('dataspaces.length', 64)
  })

  test('report each unfilled placeholder once', async () => {
    const text = await readFile('genesis/iso-demo.json', 'utf8')
    const faults = await faultsOf(text)
    expect(faults.map((one) => one.message.slice(0, one.message.indexOf('}}') + 2))).toEqual([
      '{{chain}}',
      '{{genesis_key}}',
      '{{topology}}',
      '{{account:admin}}',
      '{{account:alice}}',
      '{{account:bob}}',
      '{{account:carol}}',
      '{{account:bridge}}',
    ])
  })
})
