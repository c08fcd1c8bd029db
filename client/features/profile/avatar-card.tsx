import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useRef } from 'react'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconAlertCircle, IconPhotoUp } from '@tabler/icons-react'
import { useFormat } from '../../lib/format'
import { loadSession } from '../../lib/session-actions'
import { cropToSquare, pictureError } from '../../lib/pictures'
import { AVATAR_MAX_BYTES, PICTURE_TYPES, type Profile } from '../../../src/shared/account'
import classes from './avatar-card.module.css'
import { FormError } from '../../ui/forms/form-error'
import { PersonAvatar } from '../../ui/person-avatar'
import { SectionCard } from '../../ui/section-card'
import { putAvatar, removeAvatar } from './queries'
import { profileQuery } from '../../lib/queries/profile-query'

/** A chosen picture until it is kept or given up, and why another one was refused. */
function useAvatarUpload() {
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
    const rejectionReason = pictureError(file, { noun: 'A picture', maxBytes: AVATAR_MAX_BYTES, format })
    setRefused(rejectionReason)
    if (rejectionReason !== null) return
    const square = await cropToSquare(file)
    setChosen({ file: square, url: URL.createObjectURL(square) })
  }
  return { chosen, refused: rejection, save, choose, cancel: () => setChosen(null) }
}
type AvatarUpload = ReturnType<typeof useAvatarUpload>

/** A person's picture: chosen or dropped, seen before it is kept, and removed again. */
export function AvatarCard({ stored }: { stored: Profile }) {
  const format = useFormat()
  const open = useRef<() => void>(null)
  const choice = useAvatarUpload()
  const { chosen, refused, save, choose } = choice
  return (
    <SectionCard title="Picture" description="Shown next to your name">
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
            <AvatarActions choice={choice} removable={stored.avatar !== null} onOpen={() => open.current?.()} />
            <Text size="xs" c="dimmed" role={chosen ? 'status' : undefined}>
              {chosen ? 'Preview' : `PNG, JPEG or WebP, up to ${format.bytes(AVATAR_MAX_BYTES)}. Drop one here.`}
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

interface AvatarActionsProps {
  choice: AvatarUpload
  removable: boolean
  /** Opens the browser's choice of files. */
  onOpen: () => void
}

function AvatarActions({ choice, removable, onOpen }: AvatarActionsProps) {
  const { chosen, save, cancel } = choice
  if (chosen)
    return (
      <Group gap="xs">
        <Button loading={save.isPending} onClick={() => save.mutate(chosen.file)}>
          Save picture
        </Button>
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
      </Group>
    )
  return (
    <Group gap="xs">
      <Button variant="default" leftSection={<IconPhotoUp size={17} aria-hidden />} onClick={onOpen}>
        Choose picture
      </Button>
      {removable && (
        <Button variant="subtle" color="red" loading={save.isPending} onClick={() => save.mutate(null)}>
          Remove picture
        </Button>
      )}
    </Group>
  )
}
