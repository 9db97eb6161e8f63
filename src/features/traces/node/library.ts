/** Owns the lookup of the tracing library, an optional package installed beside the program. */
import { createRequire } from 'node:module'
import { LedgerError } from '../../../model/index.js'

/**
 * Package that exports spans and depends on the other packages that are needed; `peerDependencies` has the same
 * version.
 */
const PACKAGE = '@opentelemetry/exporter-trace-otlp-http'
const VERSION = '0.223.1'
/** Package to install with npm. */
export const EXPORTER = `${PACKAGE}@${VERSION}`

export interface TraceLibrary {
  readonly api: typeof import('@opentelemetry/api')
  readonly core: typeof import('@opentelemetry/core')
  readonly exporter: typeof import('@opentelemetry/exporter-trace-otlp-http')
  readonly resources: typeof import('@opentelemetry/resources')
  readonly sdk: typeof import('@opentelemetry/sdk-trace')
}

/** Path of the package: in a folder `node_modules` at or above the program, of a project or of global packages. */
function packagePath(from: string): string {
  try {
    return createRequire(from).resolve(PACKAGE)
  } catch (cause) {
    throw new LedgerError('config_invalid', `cannot send traces to traces.endpoint: ${PACKAGE} is not installed`, {
      hint: `Run \`npm install ${EXPORTER}\` where causeway is installed, with -g if it is installed globally; or remove traces.endpoint.`,
      cause,
    })
  }
}

/**
 * Load the library. Throws `config_invalid` if its package is not installed.
 *
 * @param from URL or path of the module from which the package is searched
 */
export function loadTraceLibrary(from = import.meta.url): TraceLibrary {
  const path = packagePath(from)
  // Dependencies of the exporter are resolved from the exporter: npm may have nested them in its folder.
  const beside = createRequire(path)
  const sdkPath = beside.resolve('@opentelemetry/sdk-trace')
  const besideSdk = createRequire(sdkPath)
  return {
    api: besideSdk('@opentelemetry/api'),
    core: besideSdk('@opentelemetry/core'),
    exporter: beside(path),
    resources: besideSdk('@opentelemetry/resources'),
    sdk: beside(sdkPath),
  }
}
