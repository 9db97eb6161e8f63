/** Owns the checks of what a node is started from: configuration, genesis, data directory, TLS files. */

import { X509Certificate } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { GenesisPayload } from '../model/index.js'
import { loadNodeConfig, type NodeConfig } from '../node/config/index.js'
import { readPinnedGenesis } from '../node/identity.js'
import { lockHolder, readDataDirFormat, VOTE_LOG_FILE } from '../storage/index.js'
import { type Finding, fail, failed, ok, type Patient, skip, warn } from './check.js'

/** A certificate that ends within this many days is worth a warning. */
const CERTIFICATE_DAYS_LEFT = 30
const DAY_MS = 86_400_000

/** Reads configuration and genesis; what cannot be read becomes findings, and the rest of the checks go on without it. */
export async function examine(configFile: string): Promise<{ patient: Patient; findings: Finding[] }> {
  const findings: Finding[] = []
  let config: NodeConfig | undefined
  try {
    config = await loadNodeConfig(configFile)
    findings.push(ok('config', `${configFile}: every key is sound`))
  } catch (error) {
    findings.push(failed('config', error))
  }
  let genesis: GenesisPayload | undefined
  if (config === undefined) findings.push(skip('genesis', 'needs the configuration'))
  else if (/^0+$/.test(config.genesis.hash)) {
    findings.push(
      fail('genesis', 'no genesis is pinned yet', `causeway genesis pin genesis.signed --config ${configFile}`),
    )
  } else {
    try {
      const { ABI_1 } = await import('../features/index.js')
      const { verifyGenesis } = await import('../node/ledger/genesis.js')
      const pinned = await readPinnedGenesis(config, ABI_1)
      await verifyGenesis(ABI_1, pinned.genesis)
      genesis = pinned.genesis.payload.value
      findings.push(ok('genesis', `${config.genesis.file}: chain ${genesis.chain}, ${genesis.topology.length} peers`))
    } catch (error) {
      findings.push(failed('genesis', error))
    }
  }
  const running = config !== undefined && (await lockHolder(config.dataDir)) !== undefined
  return { patient: { configFile, config, genesis, running }, findings }
}

/** The data directory: there, writable, of this network. */
export async function checkDataDir({ config, genesis, running }: Patient): Promise<Finding[]> {
  if (config === undefined) return [skip('data_dir', 'needs the configuration')]
  const { dataDir } = config
  const info = await stat(dataDir).catch(() => undefined)
  if (info === undefined) {
    return [
      {
        ...warn('data_dir', `${dataDir}: not there yet; the first start makes it`),
        fix: async () => {
          await mkdir(dataDir, { recursive: true, mode: 0o700 })
          return `${dataDir}: made`
        },
      },
    ]
  }
  if (!info.isDirectory()) return [fail('data_dir', `${dataDir}: this is a file, not a folder`)]
  const found = await readDataDirFormat(dataDir).catch((error: Error) => error)
  if (found instanceof Error) return [failed('data_dir', found)]
  if (found === undefined) return [ok('data_dir', `${dataDir}: empty`)]
  if (found.genesis_hash !== config.genesis.hash) {
    return [
      fail(
        'data_dir',
        `${dataDir} holds chain ${found.chain} with genesis ${found.genesis_hash}, the configuration pins ${config.genesis.hash}`,
        'Name another data_dir, or the configuration of that network.',
      ),
    ]
  }
  const damaged = await voteLogFault(dataDir)
  if (damaged !== undefined) return [damaged]
  const who = running ? 'in use by a running node' : 'not in use'
  return [ok('data_dir', `${dataDir}: chain ${genesis?.chain ?? found.chain}, ${who}`)]
}

/** A data directory without its vote log: the node abstains until what it may have signed cannot matter. */
async function voteLogFault(dataDir: string): Promise<Finding | undefined> {
  const there = await stat(join(dataDir, VOTE_LOG_FILE)).then(
    () => true,
    () => false,
  )
  if (there) return undefined
  return warn('data_dir', `${dataDir}: the vote log is missing, so the node will follow without voting for a while`)
}

/** TLS files of the gateway: readable, belonging together, valid for a while. */
export async function checkTls({ config }: Patient, nowMs: number): Promise<Finding[]> {
  const tls = config?.gateway.tls
  if (tls === undefined) return []
  try {
    const certificate = new X509Certificate(await readFile(tls.certFile))
    await readFile(tls.keyFile)
    const endMs = Date.parse(certificate.validTo)
    const days = Math.floor((endMs - nowMs) / DAY_MS)
    if (days < 0) return [fail('tls', `${tls.certFile}: the certificate ended on ${certificate.validTo}`)]
    if (days < CERTIFICATE_DAYS_LEFT) return [warn('tls', `${tls.certFile}: the certificate ends in ${days} days`)]
    return [ok('tls', `${tls.certFile}: valid until ${certificate.validTo}`)]
  } catch (error) {
    return [fail('tls', `the TLS files of the gateway cannot be read: ${(error as Error).message}`)]
  }
}
