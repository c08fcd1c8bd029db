import { useNavigate } from '@tanstack/react-router'
import { ConnectOffer } from '../../features/connections/connect-offer'
import { SampleOffer } from '../../features/sample/sample-company'
import { SourceStep } from '../../features/profile/onboarding'
import { UploadPanel } from '../../features/data-sources/upload/upload-panel'

export function SourceStepRoute() {
  const navigate = useNavigate()
  return (
    <SourceStep onSkipped={() => void navigate({ to: '/data-sources', replace: true })}>
      {(finish) => (
        <UploadPanel
          offer={
            <>
              <ConnectOffer
                onChosen={() =>
                  void finish().then(() => navigate({ to: '/data-sources/new', hash: 'connect-kinds', replace: true }))
                }
              />
              <SampleOffer onStarted={() => void finish().then(() => navigate({ to: '/insights', replace: true }))} />
            </>
          }
          onDone={(id) =>
            void finish().then(() => navigate({ to: '/data-sources/$id', params: { id }, replace: true }))
          }
        />
      )}
    </SourceStep>
  )
}
