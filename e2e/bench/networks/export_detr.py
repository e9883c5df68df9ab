"""Exports D-FINE nano and RF-DETR-seg nano with random weights, and their detections in one image: time, memory and operators
are those of the trained networks, which nobody of the project has run. `npm run bench:networks` compares them.

    python3 -m venv detr && detr/bin/pip install torch torchvision transformers==5.24.0 rfdetr==1.11.2 onnx onnxruntime
    detr/bin/python e2e/bench/networks/export_detr.py FOLDER
"""

import json
import math
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy
import onnxruntime
import torch
from rfdetr import RFDETRSegNano
from transformers import DFineConfig, DFineForObjectDetection, HGNetV2Config, RfDetrImageProcessor, RTDetrImageProcessor

THRESHOLD = 0.4
# Objects of each class, of the 300 or 100 predictions: few enough that no processor leaves one out.
OBJECTS = 15


def image(side):
    """The values that networks.ts makes, too."""
    values = 0.5 + 0.5 * numpy.cos(numpy.arange(3 * side * side) / 7)
    return values.astype(numpy.float32).reshape(1, 3, side, side)


def raise_scores(logits, bias, labels):
    """Random weights score all classes low: raises some of them, so that there are detections."""
    with torch.no_grad():
        for label in labels:
            lowest = logits[0, :, label].sort(descending=True).values[OBJECTS]
            bias[label] += math.log(THRESHOLD / (1 - THRESHOLD)) - lowest


class DFineOutputs(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, pixel_values):
        outputs = self.model(pixel_values)
        return outputs.logits, outputs.pred_boxes


def export_d_fine(path):
    backbone = HGNetV2Config(
        stem_channels=[3, 16, 16], stage_in_channels=[16, 64, 256, 512], stage_mid_channels=[16, 32, 64, 128],
        stage_out_channels=[64, 256, 512, 1024], stage_num_blocks=[1, 1, 2, 1],
        stage_downsample=[False, True, True, True], stage_light_block=[False, False, True, True],
        stage_kernel_size=[3, 3, 5, 5], stage_numb_of_layers=[3, 3, 3, 3], depths=[1, 1, 2, 1],
        hidden_sizes=[64, 256, 512, 1024], embedding_size=16, out_indices=[3, 4],
    )
    config = DFineConfig(
        backbone_config=backbone, encoder_in_channels=[512, 1024], feat_strides=[16, 32], encoder_hidden_dim=128,
        encoder_ffn_dim=512, encode_proj_layers=[1], d_model=128, decoder_in_channels=[128, 128], decoder_ffn_dim=512,
        num_feature_levels=2, decoder_layers=3, decoder_n_points=[6, 6], depth_mult=0.5, hidden_expansion=0.34,
        num_labels=80,
    )
    model = DFineForObjectDetection(config).eval()
    picture = torch.tensor(image(640))
    with torch.no_grad():
        raise_scores(model(picture).logits, model.class_embed[-1].bias, [0, 2, 7])
    names = ["pixel_values", "logits", "pred_boxes"]
    torch.onnx.export(
        DFineOutputs(model), (picture,), path, dynamo=False, opset_version=18, input_names=names[:1],
        output_names=names[1:], dynamic_axes={name: {0: "batch"} for name in names},
    )


def export_rf_detr(path):
    detector = RFDETRSegNano(pretrain_weights=None, device="cpu")
    network = detector.model.model.eval()
    with torch.no_grad():
        outputs = network(torch.tensor(image(detector.model.resolution)))
    raise_scores(outputs["pred_logits"], network.class_embed.bias, [1, 3, 8])
    detector.export(output_dir=str(path.parent / path.stem), verbose=False)
    next((path.parent / path.stem).glob("*.onnx")).rename(path)


def write_reference(path):
    """Writes what the processors of transformers detect: boxes as shares of the image."""
    session = onnxruntime.InferenceSession(path)
    [given] = session.get_inputs()
    names = [output.name for output in session.get_outputs()]
    outputs = dict(zip(names, session.run(names, {given.name: image(given.shape[-1])})))
    is_d_fine = "logits" in outputs
    processor = RTDetrImageProcessor() if is_d_fine else RfDetrImageProcessor()
    logits, boxes = ("logits", "pred_boxes") if is_d_fine else ("labels", "dets")
    raw = SimpleNamespace(logits=torch.tensor(outputs[logits]), pred_boxes=torch.tensor(outputs[boxes]))
    [found] = processor.post_process_object_detection(raw, threshold=THRESHOLD, target_sizes=[(1, 1)])
    path.with_suffix(".json").write_text(json.dumps({name: values.tolist() for name, values in found.items()}))
    print(path, path.stat().st_size, "bytes,", len(found["scores"]), "detections")


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(3)
    export_d_fine(folder / "dfine-nano.onnx")
    export_rf_detr(folder / "rfdetr-seg-nano.onnx")
    for path in sorted(folder.glob("*.onnx")):
        write_reference(path)


main()
