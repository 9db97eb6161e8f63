/** Owns the check of the store of integrations: webhooks, devices, passkeys. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from '../storage/index.js'
import { INTEGRATIONS_FOLDER, IntegrationStore } from '../storage/integration-store.js'
import { type DiagnosticContext, type Finding, failed, ok, skip, warn } from './check.js'

const HINT = 'webhooks, notifications and passkeys pause until their store is available again'

/** Check the report of a running node; for a stopped one, open the store. */
export async function checkIntegrations({ config, holder, running, live }: DiagnosticContext): Promise<Finding[]> {
  if (config === undefined) return [skip('integrations', 'needs the configuration')]
  const folder = join(config.dataDir, INTEGRATIONS_FOLDER)
  // An unusable data directory is reported by its own check.
  const isThere = await exists(folder).catch(() => false)
  if (!isThere) return [ok('integrations', 'no webhook, device or passkey is stored')]
  if (holder === undefined) return [await opened(folder)]
  if (!running) return [skip('integrations', 'a command is using the data directory')]
  if (live === undefined || live instanceof Error) return [skip('integrations', 'the node does not respond')]
  const { integrationsUp } = live
  if (integrationsUp === undefined) return [skip('integrations', 'hidden by the telemetry profile')]
  return [
    integrationsUp
      ? ok('integrations', `${folder}: in use by the running node`)
      : warn('integrations', `${folder} is not available`, HINT),
  ]
}

async function opened(folder: string): Promise<Finding> {
  // Opening recreates files; the node might be unable to read those of another user.
  if (process.getuid !== undefined && (await stat(folder)).uid !== process.getuid()) {
    return skip('integrations', `${folder} belongs to another user: run this command as that user`)
  }
  // Nothing is unsealed, which would require the network key.
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
