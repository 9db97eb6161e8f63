/** True when dist/ is the build of the sources as they are. */
export function isBuildFresh(): boolean
