import { FormDialog } from '../../../ui/forms/form-dialog'
import { MoreMenu } from '../../../ui/buttons/more-menu'
import { Button, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { IconCopy, IconForms, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { pickSettings, type Forecast } from '../../../../src/shared/forecasts/forecasts'
import { ApiError } from '../../../lib/api'
import { useMay, useMayWrite } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { confirmDestructive } from '../../../ui/forms/confirm-dialog'
import { ExportMenu } from '../../../ui/buttons/export-menu'
import { notifyError } from '../../../ui/notify-error'
import { ReportsShowing } from '../../../ui/reports-showing'
import { exportUrl, safeFileName } from './export-image'
import { useCreateForecast, useDeleteForecast, useRunForecast, useUpdateForecast } from '../queries'
import { copyName, forecastUpdate } from '../form/form-values'
import { fieldErrors, FormError } from '../../../ui/forms/form-error'

interface ForecastActionsProps {
  forecast: Forecast
  /** Makes the picture; absent while there is nothing to draw. */
  png?: (() => Promise<Blob>) | undefined
  onEdit: () => void
}

/** What can be done with a forecast; nothing is offered that the role refuses. */
export function ForecastActions({ forecast, png, onEdit }: ForecastActionsProps) {
  const mayEdit = useMayWrite('edit:forecast')
  const readOnly = (useSession().workspace?.entitlements.readOnly ?? null) !== null
  const mayDelete = useMay('edit:forecast') && !readOnly
  return (
    <>
      <ExportButton {...{ forecast, png }} />
      {mayEdit && (
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
          Edit
        </Button>
      )}
      {mayEdit && <RunButton forecast={forecast} />}
      {mayDelete && <ForecastMenu forecast={forecast} mayEdit={mayEdit} />}
    </>
  )
}

function RunButton({ forecast }: { forecast: Forecast }) {
  const running = useRunForecast()
  const under = forecast.state === 'queued' || forecast.state === 'running'
  return (
    <Button
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={running.isPending || under}
      onClick={() =>
        running.mutate(forecast.id, {
          onSuccess: () => notifications.show({ message: 'Run started' }),
          onError: notifyError,
        })
      }
    >
      {forecast.lastRun === null && forecast.ready === null ? 'Run' : 'Run again'}
    </Button>
  )
}

function ForecastMenu({ forecast, mayEdit }: { forecast: Forecast; mayEdit: boolean }) {
  const navigate = useNavigate()
  const [renaming, rename] = useDisclosure(false)
  const creating = useCreateForecast()
  const deleting = useDeleteForecast()
  const duplicate = (): void =>
    creating.mutate(
      { ...pickSettings(forecast), name: copyName(forecast.name) },
      {
        onSuccess: ({ id }) => void navigate({ to: '/forecasts/$id', params: { id } }),
        onError: notifyError,
      },
    )
  const remove = (): void =>
    confirmDestructive({
      title: 'Delete forecast?',
      message: (
        <Text size="sm" component="div">
          Deletes runs, scenarios and accuracy; alerts stop. Can’t be undone.
          <ReportsShowing id={forecast.id} />
        </Text>
      ),
      confirm: 'Delete forecast',
      onConfirm: async () => {
        await deleting.mutateAsync(forecast).then(() => navigate({ to: '/forecasts' }), notifyError)
      },
    })
  return (
    <>
      <MoreMenu
        inHeader
        label="More actions"
        loading={creating.isPending}
        items={[
          mayEdit && { label: 'Rename', icon: IconForms, onClick: rename.open },
          mayEdit && { label: 'Duplicate', icon: IconCopy, onClick: duplicate },
          { label: 'Delete forecast', icon: IconTrash, color: 'red', onClick: remove },
        ]}
      />
      {renaming && <RenameForecast forecast={forecast} onClose={rename.close} />}
    </>
  )
}

function ExportButton({ forecast, png }: Pick<ForecastActionsProps, 'forecast' | 'png'>) {
  const workspace = useSession().workspace?.id ?? ''
  const may = useMay('export:data') && forecast.ready !== null
  return (
    <ExportMenu
      addressOf={may ? (format) => exportUrl(forecast.id, { format, workspace }) : null}
      png={png}
      name={safeFileName(forecast.name)}
    />
  )
}

const isNameTaken = (error: unknown): boolean => error instanceof ApiError && error.body.code === 'name_taken'

/** Another name; nothing is computed again for it. */
function RenameForecast({ forecast, onClose }: { forecast: Forecast; onClose: () => void }) {
  const [name, setName] = useState(forecast.name)
  const saving = useUpdateForecast()
  const nameError = isNameTaken(saving.error) ? 'Name already used' : fieldErrors(saving.error)?.['name']
  return (
    <FormDialog
      title="Rename forecast"
      submit="Rename forecast"
      pending={saving.isPending}
      disabled={name.trim() === ''}
      onSubmit={() => saving.mutate(forecastUpdate(forecast, { name }), { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        maxLength={80}
        error={nameError}
        data-autofocus
        onChange={(event) => {
          setName(event.currentTarget.value)
          saving.reset()
        }}
      />
      {nameError === undefined && <FormError error={saving.error} />}
    </FormDialog>
  )
}
