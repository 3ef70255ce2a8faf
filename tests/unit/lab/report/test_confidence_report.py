"""Curves of confidence as a page and as a drawing."""

from xml.etree import ElementTree as ET

import numpy as np

from winnow.lab.measure.confidence import trust
from winnow.lab.report.confidence_report import confidence_figure, confidence_report

F1 = np.linspace(0.4, 1.0, 50)
FOUND = trust(np.sqrt(F1), F1)


def test_the_page_names_the_figures_and_has_both_curves() -> None:
    page = confidence_report("Confidence of <an engine>", FOUND)

    assert "Confidence of &lt;an engine&gt;" in page
    assert page.count("<svg") == 2
    assert page.count('class="own"') == len(FOUND.bins)
    assert f"{FOUND.bad} with F1 below 0.8" in page
    assert "Spearman 1.00" in page
    assert "<script" not in page


def test_the_figure_is_a_drawing_by_itself() -> None:
    root = ET.fromstring(confidence_figure(FOUND))

    space = {"svg": "http://www.w3.org/2000/svg"}
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root.findall("svg:circle", space)) == len(FOUND.bins)
    (curve,) = root.findall("svg:g/svg:polyline", space)
    assert len(curve.attrib["points"].split()) == len(FOUND.coverage)
