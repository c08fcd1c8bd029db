import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { profileQuery, putAvatar, removeAvatar } from './queries'
import { useFormat } from '../../lib/format'
import { loadSession } from '../../lib/session-calls'
import { cropToSquare } from '../../lib/square-picture'
import { AVATAR_MAX_BYTES, PICTURE_TYPES } from '../../../src/shared/account'

/** A chosen picture until it is kept or given up, and why another one was refused. */
export function useAvatarUpload() {
  const client = useQueryClient()
  const format = useFormat()
  const [chosen, setChosen] = useState<{ file: Blob; url: string } | null>(null)
  const [rejection, setRefused] = useState<string | null>(null)
  useEffect(() => () => URL.revokeObjectURL(chosen?.url ?? ''), [chosen])
  const save = useMutation({
    mutationFn: (file: Blob | null) => (file ? putAvatar(file) : removeAvatar()),
    onSuccess: async ({ avatar }) => {
      client.setQueryData(profileQuery().queryKey, (known) => known && { ...known, avatar })
      await loadSession()
      setChosen(null)
    },
  })
  const choose = async (file: File | undefined): Promise<void> => {
    if (!file) return
    save.reset()
    setChosen(null)
    const rejectionReason = pictureError(file, format.bytes)
    setRefused(rejectionReason)
    if (rejectionReason !== null) return
    const square = await cropToSquare(file)
    setChosen({ file: square, url: URL.createObjectURL(square) })
  }
  return { chosen, refused: rejection, save, choose, cancel: () => setChosen(null) }
}
export type AvatarUpload = ReturnType<typeof useAvatarUpload>

/** Why this file cannot be a picture here, before anything is sent; null when it may be one. */
function pictureError(file: File, bytes: (value: number) => string): string | null {
  if (!PICTURE_TYPES.some((type) => type === file.type)) return `${file.name} is not a PNG, JPEG or WebP picture.`
  if (file.size <= AVATAR_MAX_BYTES) return null
  return `${file.name} has ${bytes(file.size)}. A picture may have up to ${bytes(AVATAR_MAX_BYTES)}: make it smaller or choose another.`
}
