/** Pictures of people and workspaces live under random keys (40 hex characters): whoever knows a key may see it. */
export const PICTURE_KEY = /^[0-9a-f]{40}$/
export const picturePath = (key: string | null): string | null => (key === null ? null : `/files/pictures/${key}`)

/** Longest side of a picture, in pixels. */
export const PICTURE_MAX_SIDE = 4096
