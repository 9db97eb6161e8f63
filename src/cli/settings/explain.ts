/** Owns the explanation of the sources of a setting. */
import { DEFAULT_GATEWAY, DEFAULT_TIMEOUT_MS, type SettingFlags, settingLayers } from './settings.js'

/** Setting with its source. */
export interface ExplainedSetting {
  readonly key: 'gateway' | 'timeout' | 'key_file' | 'signer_command'
  /** null: not set. */
  readonly value: string | null
  readonly source: string
}

/** All settings of the commands. */
export async function explainSettings(flags: SettingFlags): Promise<ExplainedSetting[]> {
  const layers = await settingLayers(flags)
  const rows = [
    ['gateway', 'gateway', DEFAULT_GATEWAY],
    ['timeout', 'timeout', `${DEFAULT_TIMEOUT_MS}ms`],
    ['key_file', 'keyFile', null],
    ['signer_command', 'signerCommand', null],
  ] as const
  return rows.map(([key, field, fallback]) => {
    const layer = layers.find((one) => one[field] !== undefined)
    return { key, value: layer?.[field] ?? fallback, source: layer?.source ?? 'default' }
  })
}
