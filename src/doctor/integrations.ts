/** Owns the check of the store of integrations: webhooks, devices, passkeys. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from '../storage/index.js'
import { INTEGRATIONS_FOLDER, IntegrationStore } from '../storage/integration-store.js'
import { type DiagnosticContext, type Finding, failed, ok, skip, warn } from './check.js'

const HINT = 'webhooks, notifications and passkeys pause until the disk serves it again'

/** Of a node that runs, what it says; of one that does not, whether the store opens. */
export async function checkIntegrations({ config, holder, running, live }: DiagnosticContext): Promise<Finding[]> {
  if (config === undefined) return [skip('integrations', 'needs the configuration')]
  const folder = join(config.dataDir, INTEGRATIONS_FOLDER)
  // A data directory that is none is told by its own check.
  const isThere = await exists(folder).catch(() => false)
  if (!isThere) return [ok('integrations', 'nothing is kept: no webhook, device or passkey')]
  if (holder === undefined) return [await opened(folder)]
  if (!running) return [skip('integrations', 'a command works on the data directory')]
  if (live === undefined || live instanceof Error) return [skip('integrations', 'the node does not answer')]
  const { integrationsUp } = live
  if (integrationsUp === undefined) return [skip('integrations', 'the telemetry profile does not show it')]
  return [
    integrationsUp
      ? ok('integrations', `${folder}: in use by the running node`)
      : warn('integrations', `${folder} does not answer`, HINT),
  ]
}

async function opened(folder: string): Promise<Finding> {
  // Opening it makes files anew: those of another user the node might not read.
  if (process.getuid !== undefined && (await stat(folder)).uid !== process.getuid()) {
    return skip('integrations', `${folder} belongs to another user: run this as that one`)
  }
  // Nothing is unsealed: that takes the network key.
  const store = new IntegrationStore(folder, Buffer.alloc(0))
  try {
    const found = await store.list('')
    return ok('integrations', `${folder}: ${found.length} records`)
  } catch (error) {
    return failed('integrations', error)
  } finally {
    await store.close()
  }
}
