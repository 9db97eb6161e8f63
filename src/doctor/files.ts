/** Owns the checks of the start inputs of a node: configuration, genesis, data directory, TLS files. */

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { shellWord } from '../cli/text/shell.js'
import { readGatewayTls } from '../gateway/tls.js'
import type { GenesisPayload } from '../model/index.js'
import { loadNodeConfig, type NodeConfig } from '../node/config/index.js'
import { aheadText } from '../node/genesis/ahead.js'
import { readPinnedGenesis } from '../node/identity/identity.js'
import { dataDirHolder, exists, inspectDataDir, VOTE_LOG_FILE } from '../storage/index.js'
import { type DiagnosticContext, type Finding, fail, failed, ok, skip, warn } from './check.js'
import { type Access, askNode } from './live.js'
import { abstainsWithoutVotes } from './vote-log.js'

/** Number of days before the expiry of a certificate from which a warning is given. */
const CERTIFICATE_DAYS_LEFT = 30
const DAY_MS = 86_400_000

/**
 * Read configuration and genesis, and query the running node; failures become findings, and the other checks continue.
 */
export async function examine(
  configFile: string,
  access: Access,
): Promise<{ patient: DiagnosticContext; findings: Finding[] }> {
  const findings: Finding[] = []
  let config: NodeConfig | undefined
  try {
    config = await loadNodeConfig(configFile)
    findings.push(ok('config', `${configFile}: every key is valid`))
  } catch (error) {
    findings.push(failed('config', error))
  }
  let genesis: GenesisPayload | undefined
  if (config === undefined) findings.push(skip('genesis', 'needs the configuration'))
  else if (/^0+$/.test(config.genesis.hash)) {
    findings.push(
      fail('genesis', 'no genesis is pinned', `causeway genesis pin genesis.signed --config ${shellWord(configFile)}`),
    )
  } else {
    try {
      const { NEWEST_ABI, startAbi } = await import('../features/abi.js')
      const { verifyGenesis } = await import('../node/chain/genesis.js')
      const pinned = await readPinnedGenesis(config, NEWEST_ABI)
      await verifyGenesis(startAbi(pinned.genesis.payload.value.abi), pinned.genesis)
      genesis = pinned.genesis.payload.value
      const ahead = aheadText(genesis.createdAtMs, Date.now())
      if (ahead !== undefined) findings.push(warn('genesis', ahead, 'Wait, or sign a genesis with the current time.'))
      else
        findings.push(ok('genesis', `${config.genesis.file}: chain ${genesis.chain}, ${genesis.topology.length} peers`))
    } catch (error) {
      findings.push(failed('genesis', error))
    }
  }
  const holder = config && (await dataDirHolder(config.dataDir))
  const running = holder !== undefined && holder.use !== 'command'
  const live =
    config === undefined || !running ? undefined : await askNode(config, access).catch((error: Error): Error => error)
  return { patient: { configFile, config, genesis, holder, running, live, access }, findings }
}

/** Check the data directory: existing or creatable by this user, writable, of this network. */
export async function checkDataDir({ config, genesis, holder }: DiagnosticContext): Promise<Finding[]> {
  if (config === undefined) return [skip('data_dir', 'needs the configuration')]
  if (genesis === undefined) return [skip('data_dir', 'needs the genesis')]
  const { dataDir } = config
  try {
    const identity = { chain: genesis.chain, genesisHash: Buffer.from(config.genesis.hash, 'hex') }
    if ((await inspectDataDir(dataDir, identity)) === undefined) {
      const joins = ok('data_dir', `${dataDir}: being filled from a snapshot by a running node`)
      return [holder?.isJoining === true ? joins : await unusedDataDir(dataDir)]
    }
  } catch (error) {
    return [failed('data_dir', error)]
  }
  if (!(await exists(join(dataDir, VOTE_LOG_FILE))) && (await abstainsWithoutVotes(config, genesis.topology))) {
    return [warn('data_dir', `${dataDir}: the vote log is missing, so the node will follow without voting for a while`)]
  }
  const use =
    holder === undefined
      ? 'not in use'
      : holder.use === 'command'
        ? `in use by a command, process ${holder.pid}`
        : 'in use by a running node'
  return [ok('data_dir', `${dataDir}: chain ${genesis.chain}, ${use}`)]
}

async function unusedDataDir(dataDir: string): Promise<Finding> {
  if (await exists(dataDir)) return ok('data_dir', `${dataDir}: empty`)
  return {
    ...warn('data_dir', `${dataDir}: does not exist yet; the first start creates it`),
    fix: async () => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      return `${dataDir}: created`
    },
  }
}

/** Check the TLS files of the gateway: usable at a start, and not about to expire. */
export async function checkTls({ config }: DiagnosticContext, nowMs: number): Promise<Finding[]> {
  const tls = config?.gateway.tls
  if (tls === undefined) return []
  try {
    const { expiresAtMs } = await readGatewayTls(tls)
    const end = new Date(expiresAtMs).toISOString()
    const days = Math.floor((expiresAtMs - nowMs) / DAY_MS)
    if (days < 0) return [fail('tls', `${tls.certFile}: the certificate expired on ${end}`)]
    if (days < CERTIFICATE_DAYS_LEFT) return [warn('tls', `${tls.certFile}: the certificate expires in ${days} days`)]
    return [ok('tls', `${tls.certFile}: valid until ${end}`)]
  } catch (error) {
    return [failed('tls', error)]
  }
}
