import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconAlertCircle, IconPhotoUp } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import classes from './avatar-card.module.css'
import { profileQuery, putAvatar, removeAvatar } from './queries'
import { useFormat } from '../../lib/format'
import { loadSession } from '../../lib/session-calls'
import { squarePicture } from '../../lib/square-picture'
import { FormError } from '../../ui/form-error'
import { PersonAvatar } from '../../ui/person-avatar'
import { SectionCard } from '../../ui/section-card'
import { AVATAR_MAX_BYTES, PICTURE_TYPES } from '../../../src/shared/account'
import type { Profile } from '../../../src/shared/account'

/** A person's picture: chosen or dropped, seen before it is kept, and removed again. */
export function AvatarCard({ stored }: { stored: Profile }) {
  const client = useQueryClient()
  const format = useFormat()
  const open = useRef<() => void>(null)
  const [chosen, setChosen] = useState<{ file: Blob; url: string } | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  useEffect(() => () => URL.revokeObjectURL(chosen?.url ?? ''), [chosen])
  const save = useMutation({
    mutationFn: (file: Blob | null) => (file ? putAvatar(file) : removeAvatar()),
    onSuccess: async ({ avatar }) => {
      client.setQueryData(profileQuery().queryKey, (known) => known && { ...known, avatar })
      await loadSession()
      setChosen(null)
    },
  })
  const choose = async (file: File | undefined) => {
    if (!file) return
    save.reset()
    setChosen(null)
    const fault = faultOf(file, format.bytes)
    setRefused(fault)
    if (fault !== null) return
    const square = await squarePicture(file)
    setChosen({ file: square, url: URL.createObjectURL(square) })
  }
  return (
    <SectionCard title="Picture" description="Shown beside your name. Without one your initials are.">
      <Dropzone
        openRef={open}
        onDrop={(files) => void choose(files[0])}
        multiple={false}
        activateOnClick={false}
        activateOnKeyboard={false}
        className={classes.area}
        inputProps={{ 'aria-label': 'Picture file', accept: PICTURE_TYPES.join(',') }}
      >
        <Group gap="lg" wrap="wrap">
          <PersonAvatar name={stored.name} picture={chosen?.url ?? stored.avatar} size={72} />
          <Stack gap={8}>
            {chosen ? (
              <Group gap="xs">
                <Button loading={save.isPending} onClick={() => save.mutate(chosen.file)}>
                  Use this picture
                </Button>
                <Button variant="default" onClick={() => setChosen(null)}>
                  Cancel
                </Button>
              </Group>
            ) : (
              <Group gap="xs">
                <Button
                  variant="default"
                  leftSection={<IconPhotoUp size={17} aria-hidden />}
                  onClick={() => open.current?.()}
                >
                  Choose picture
                </Button>
                {stored.avatar !== null && (
                  <Button variant="subtle" color="red" loading={save.isPending} onClick={() => save.mutate(null)}>
                    Remove
                  </Button>
                )}
              </Group>
            )}
            <Text size="xs" c="dimmed" role={chosen ? 'status' : undefined}>
              {chosen
                ? 'This is how it will look.'
                : `PNG, JPEG or WebP, up to ${format.bytes(AVATAR_MAX_BYTES)}. You can drop one here.`}
            </Text>
          </Stack>
        </Group>
      </Dropzone>
      {refused !== null && (
        <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
          {refused}
        </Alert>
      )}
      <FormError error={save.error} />
    </SectionCard>
  )
}

/** Why this file cannot be a picture here, before anything is sent; null when it may be one. */
function faultOf(file: File, bytes: (value: number) => string): string | null {
  if (!PICTURE_TYPES.some((type) => type === file.type)) return `${file.name} is not a PNG, JPEG or WebP picture.`
  if (file.size <= AVATAR_MAX_BYTES) return null
  return `${file.name} has ${bytes(file.size)}. A picture may have up to ${bytes(AVATAR_MAX_BYTES)}: make it smaller or choose another.`
}
