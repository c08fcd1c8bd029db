import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconAlertCircle, IconPhotoUp } from '@tabler/icons-react'
import { useState } from 'react'
import { putLogo, removeLogo } from './queries'
import { WorkspaceAvatar } from './workspace-avatar'
import { useFormat } from '../../lib/format'
import { pictureError } from '../../lib/pictures'
import { FormError } from '../../ui/forms/form-error'
import { SectionCard } from '../../ui/section-card'
import { LOGO_MAX_BYTES, PICTURE_TYPES } from '../../../src/shared/account'
import type { Workspace } from '../../../src/shared/workspaces/workspaces'

export interface WorkspaceLogoFieldProps {
  stored: Workspace
  /** The workspace with its new logo, and the version that came with it. */
  onSaved: (saved: Workspace) => void
}

/** The picture that stands for the workspace. Kept as soon as it is chosen. */
export function WorkspaceLogoField({ stored, onSaved }: WorkspaceLogoFieldProps) {
  const format = useFormat()
  const [refused, setRefused] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: (file: File | null) => (file ? putLogo(file) : removeLogo()),
    onSuccess: onSaved,
  })
  const choose = (file: File | null) => {
    if (!file) return
    const fault = pictureError(file, { noun: 'A logo', maxBytes: LOGO_MAX_BYTES, format })
    setRefused(fault)
    if (fault === null) save.mutate(file)
  }
  return (
    <SectionCard title="Logo">
      <Group gap="lg" wrap="wrap">
        <WorkspaceAvatar name={stored.name} logo={stored.logo} size={56} />
        <Stack gap={8}>
          <Group gap="xs">
            <FileButton onChange={choose} accept={PICTURE_TYPES.join(',')} inputProps={{ 'aria-label': 'Logo file' }}>
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  leftSection={<IconPhotoUp size={17} aria-hidden />}
                  loading={save.isPending && save.variables !== null}
                >
                  {stored.logo === null ? 'Choose logo' : 'Change logo'}
                </Button>
              )}
            </FileButton>
            {stored.logo !== null && (
              <Button
                variant="subtle"
                color="red"
                loading={save.isPending && save.variables === null}
                onClick={() => save.mutate(null)}
              >
                Remove logo
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed">
            PNG, JPEG or WebP, up to {format.bytes(LOGO_MAX_BYTES)}
          </Text>
        </Stack>
      </Group>
      {refused !== null && (
        <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
          {refused}
        </Alert>
      )}
      <FormError error={save.error} />
    </SectionCard>
  )
}
