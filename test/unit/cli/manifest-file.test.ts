/** Calls of contracts that are signed without a network: arguments by their names from a file, and a remark where there is none. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { manifestsOf, withoutManifest } from '../../../src/cli/contract/manifest-file.js'
import { NO_NAMES } from '../../../src/cli/gateway/directory.js'
import { InstructionReader } from '../../../src/cli/transaction/instructions.js'
import { NEWEST_ABI } from '../../../src/features/abi.js'
import { paramsType } from '../../../src/features/contracts/schema/type-texts.js'
import { valueBytes } from '../../../src/features/contracts/schema/value-types.js'
import { instanceView } from '../../../src/features/contracts/schema/views.js'
import { formatAddress } from '../../../src/model/index.js'
import { entry, manifestOf } from '../../support/contracts.js'
import { accountNamed } from '../../support/executor.js'

const codec = NEWEST_ABI.codec('cw')
const CONTRACT = formatAddress(accountNamed('contract'), 'cw')
const BOB = formatAddress(accountNamed('bob'), 'cw')
const PARAMS = { to: 'account', amount: 'u64' }
const MANIFEST = manifestOf(Buffer.of(0), [entry('transfer', 'public', PARAMS)])

/** Output of `contract show --json` for the contract. */
const shown = instanceView.toJson(
  {
    address: accountNamed('contract'),
    instance: {
      artifact: Buffer.alloc(32, 1),
      storageId: accountNamed('contract'),
      owner: accountNamed('alice'),
      domain: 'bank',
      dataspace: 0n,
      status: 'active',
      deployedHeight: 2,
    },
    alias: undefined,
    codeHash: MANIFEST.codeHash,
    manifest: MANIFEST,
    keys: 0,
    bytes: 0,
    height: 3,
  },
  codec,
)
const types = paramsType(Object.entries(PARAMS).map(([name, type]) => ({ name, type })))
const CALL = {
  ContractCall: {
    address: CONTRACT,
    entrypoint: 'transfer',
    input: valueBytes(types, { to: BOB, amount: '25' }, 'cw').toString('base64'),
    gas_limit: 1_000,
    attach: [],
  },
}

let folder: string
/** Writes a file of the folder; gives its path. */
async function written(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, JSON.stringify(content))
  return path
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-manifest-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('a call is shown with its arguments if the file of its contract is given, even inside another instruction', async () => {
  const manifests = await manifestsOf([await written('token.json', shown)], codec)
  const reader = new InstructionReader(codec, NO_NAMES, manifests)
  const text = `ContractCall transfer(to: ${BOB}, amount: 25) of ${CONTRACT}, at most 1000 gas`
  expect(reader.lines(CALL)).toEqual([text])
  expect(reader.lines({ ProposeMultisig: { instructions: [CALL] } }).map((line) => line.trim())).toContain(text)
  expect(withoutManifest([CALL], manifests)).toEqual([])
})

it('each contract without a file is named once', () => {
  const other = { ContractCall: { ...CALL.ContractCall, address: BOB } }
  expect(withoutManifest([CALL, { ProposeMultisig: { instructions: [other, CALL] } }], new Map())).toEqual([
    CONTRACT,
    BOB,
  ])
})

it.each([
  ['a manifest alone', { entrypoints: [] }],
  ['a list', [shown]],
  ['entrypoints of another form', { ...(shown as object), manifest: { entrypoints: 'transfer' } }],
])('%s is refused with a hint to the command that writes the file', async (_, content) => {
  await expect(manifestsOf([await written('other.json', content)], codec)).rejects.toMatchObject({
    code: 'bad_value',
    hint: expect.stringContaining('causeway contract show CONTRACT --json'),
  })
})
